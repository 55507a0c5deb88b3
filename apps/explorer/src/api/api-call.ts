// A request as a value: it is sent through the client, identifies its answer in the cache, and is shown to the user as text.

import { type OrreryClient, Pages } from '@orrery/client'

/** Groups of methods that read data. */
type Resources = Omit<OrreryClient, 'rateLimit' | 'organization' | 'auth'>
type Method<Resource> = { [Name in keyof Resource]: Resource[Name] extends (...args: never[]) => unknown ? Name : never }[keyof Resource]
type ArgumentsOf<Call> = Call extends (...args: infer Arguments) => unknown ? Arguments : never
type AnswerOf<Call> = Call extends (...args: never[]) => Promise<infer Answer>
  ? Answer
  : Call extends (...args: never[]) => Pages<infer Page, infer _Item>
    ? Page
    : never

export interface ApiCall<Answer> {
  /** Member of the client, such as `accounts`. */
  readonly resource: string
  readonly method: string
  readonly args: readonly unknown[]
  /** Of a list of which all pages are read: the most items. */
  readonly take?: number
  /** Of an answer with pages: one page, the first one or the one of the cursor. */
  send(client: OrreryClient): Promise<Answer>
}

/** The call of a method of the client, checked by its types. */
export function apiCall<Resource extends keyof Resources, Name extends Method<Resources[Resource]>>(
  resource: Resource,
  method: Name,
  ...args: ArgumentsOf<Resources[Resource][Name]>
): ApiCall<AnswerOf<Resources[Resource][Name]>> {
  return {
    resource,
    method: String(method),
    args,
    async send(client) {
      const object = client[resource] as unknown as Record<PropertyKey, (...args: readonly unknown[]) => unknown>
      const result = object[method]?.(...args)
      return (result instanceof Pages ? result.first() : result) as Promise<AnswerOf<Resources[Resource][Name]>>
    },
  }
}
