/** The permissions of a token, in the order of answers; none implies another (CORE-21). */
export const PERMISSIONS = ['VIEW', 'TRANSACT', 'MANAGE'] as const

export type Permission = (typeof PERMISSIONS)[number]

/** Removes repeats and sorts as PERMISSIONS does (TOK-1). */
export function orderPermissions(permissions: Iterable<Permission>): Permission[] {
  const held = new Set(permissions)
  return PERMISSIONS.filter((permission) => held.has(permission))
}

/** The permissions that an agent's policy may grant (chapter 41). */
export const AGENT_PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const

export type AgentPermission = (typeof AGENT_PERMISSIONS)[number]
