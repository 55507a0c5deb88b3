// Scopes of a key: a closed list. Every data endpoint requires `data:read`; later kinds of endpoints get their own scope.

export const SCOPES = ['data:read'] as const

export type Scope = (typeof SCOPES)[number]
