// What a key may be good for: a closed list. Every data endpoint asks for `data:read`; what comes later gets a scope of its own.

export const SCOPES = ['data:read'] as const

export type Scope = (typeof SCOPES)[number]
