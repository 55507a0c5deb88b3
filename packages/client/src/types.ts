// Parameters of operations, by the id that the OpenAPI document gives them.

import type { operations } from './generated/openapi.ts'
import type { Query } from './query.ts'

/** Query parameters of an operation. Instants may be a `Date`, `activity_type` a list. */
export type QueryOf<Id extends keyof operations> = Query<NonNullable<operations[Id]['parameters']['query']>>

/** Query parameters without those that the method has as arguments, or that paging sets. */
export type RestOf<Id extends keyof operations, Name extends PropertyKey> = Omit<QueryOf<Id>, Name>

/** Body of an operation that takes JSON. */
export type BodyOf<Id extends keyof operations> = operations[Id] extends {
  readonly requestBody: { readonly content: { readonly 'application/json': infer Body } }
}
  ? Body
  : never
