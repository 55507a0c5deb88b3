// The version of the API contract.

/** Not of the program: it changes when `/v1` gets additions. */
export const API_VERSION = '1.0.0'
