/** What a token may do (CORE-21), in the order in which they are answered. None implies another. */
export const PERMISSIONS = ['VIEW', 'TRANSACT', 'MANAGE'] as const

export type Permission = (typeof PERMISSIONS)[number]

/** Repeats collapse, the order is the catalogue's (TOK-1). */
export function orderPermissions(permissions: Iterable<Permission>): Permission[] {
  const held = new Set(permissions)
  return PERMISSIONS.filter((permission) => held.has(permission))
}

/** What an agent's policy may let it do (chapter 41). */
export const AGENT_PERMISSIONS = [
  'VIEW_TRANSACTIONS',
  'CREATE_TRANSFERS',
  'CREATE_QUOTES',
  'EXECUTE_QUOTES',
  'MANAGE_EXTERNAL_ACCOUNTS',
] as const

export type AgentPermission = (typeof AGENT_PERMISSIONS)[number]
