// Plans and what each allows. The plan is the operator's decision, never the customer's.

/** Units of the rate limit per minute of one organization, all its keys together. A request costs at least one. */
export const REQUESTS_PER_MINUTE = { free: 120, pro: 1_200, enterprise: 12_000 } as const

/** Streams (`GET /v1/stream`) of one organization that an instance of the API keeps open at the same time. */
export const STREAMS_AT_ONCE = { free: 2, pro: 50, enterprise: 2_000 } as const

/** Webhooks of one organization, disabled ones included. */
export const WEBHOOKS_OF_ORGANIZATION = { free: 2, pro: 20, enterprise: 200 } as const

export type Plan = keyof typeof REQUESTS_PER_MINUTE

export const PLANS = Object.keys(REQUESTS_PER_MINUTE) as readonly Plan[]
