import { userInfo } from 'node:os'
import { describeActor } from '../../kernel/access/actor.ts'
import { ROLES, type Caller } from '../../kernel/access/operator.ts'
import { formatId } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'

/** In a container the user may have a number without a name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

/** A user of this machine, who may do everything (OPER-6). */
export function localCaller(): Caller {
  const name = systemUser()
  return { name, actor: { kind: 'operator', by: 'local', name }, roles: ROLES, isMachine: false }
}

/** The person, or user of the machine, who acts; the same through any of their tokens. */
export const personOf = ({ operatorId, actor }: Caller): string =>
  operatorId ? formatId('operator', operatorId) : describeActor(actor)

export const callerOf = ({ operator }: Pick<Deps, 'operator'>): Caller => operator ?? localCaller()

/** A caller known by name only, while the command line is open; it has all roles (OPER-30). */
export const namedCaller = (name: string): Caller => ({
  name,
  actor: { kind: 'operator', name },
  roles: ROLES,
  isMachine: false,
})
