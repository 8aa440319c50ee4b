/** What operators did, as pages about one thing show it. */
import { formatId } from '../kernel/ids.ts'
import { auditCommands } from '../operator/commands/service/audit.ts'
import type { Values } from '../operator/command-line/command-line.ts'
import type { Answer } from '../operator/command.ts'
import type { Visit } from './section.ts'

export type AuditEntry = Answer<typeof auditCommands.list>[number]

/** What the names of operators begin with in audit entries (OPER-9). */
export const OPERATORS = ['operator', 'local:']

/** The name alone. */
export const nameOfActor = ({ actor }: Readonly<{ actor: string }>): string =>
  actor.replace(/^[\w-]+:/, '')

/** The newest actions of operators; one who is limited to some platforms asks in each of them (OPER-3). */
export async function actionsOfOperators(
  { ask, caller }: Visit,
  options: Values,
): Promise<readonly AuditEntry[]> {
  const places = caller.platforms?.map((id) => ({ platform: formatId('platform', id) })) ?? [{}]
  const asked = { actor: OPERATORS, limit: '20', ...options }
  const found = await Promise.all(
    places.map((place) => ask(auditCommands.list, { options: { ...asked, ...place } })),
  )
  return found.flat().toSorted((one, other) => (one.entryId < other.entryId ? 1 : -1))
}
