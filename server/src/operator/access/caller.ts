import { userInfo } from 'node:os'
import { describeActor } from '../../kernel/access/actor.ts'
import { ROLES, type Caller } from '../../kernel/access/operator.ts'
import { formatId } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'

/** A container may run under a number that has no name. */
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

/** Which person, or user of the machine, acts: the same one through any of their tokens. */
export const personOf = ({ operatorId, actor }: Caller): string =>
  operatorId ? formatId('operator', operatorId) : describeActor(actor)

export const callerOf = ({ operator }: Pick<Deps, 'operator'>): Caller => operator ?? localCaller()

/** A name without a record, where the command line is open: it may do what that may (OPER-30). */
export const namedCaller = (name: string): Caller => ({
  name,
  actor: { kind: 'operator', name },
  roles: ROLES,
  isMachine: false,
})
