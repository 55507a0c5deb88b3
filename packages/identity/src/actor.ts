// Who the audit log names.

/** Who does something, and from where. */
export interface Actor {
  readonly kind: 'admin_token' | 'user' | 'operator' | 'system'
  /** Id of the user, account name of the operator, or the part of the system that acts. The admin token has no id: ''. */
  readonly id: string
  /** Address of the caller, or name of the operator's machine. */
  readonly address: string
}
