/** What happens to the record of an operator, each as part of a Work of the house that leaves an audit entry. */
import type { Role } from '../../kernel/access/operator.ts'
import { fail } from '../../kernel/errors.ts'
import { newId, type Id } from '../../kernel/ids.ts'
import type { Work } from '../../infra/work/work.ts'
import { withdrawProposalsOf } from '../proposals/close.ts'
import type { Operator } from './operator.ts'
import * as store from './store.ts'

type Inside = Pick<Work, 'tx' | 'now'>

/** One administrator of the whole installation always remains, once there is one (OPER-5). */
export async function keepingAdmin<T>({ tx }: Inside, change: () => Promise<T>): Promise<T> {
  await store.lockOperators(tx)
  const before = await store.countAdmins(tx)
  const result = await change()
  if (before > 0 && (await store.countAdmins(tx)) === 0) fail('CONFLICT', { reason: 'LAST_ADMIN' })
  return result
}

const mustBeThere = async ({ tx }: Inside, id: Id<'operator'>): Promise<Operator> =>
  (await store.findOperator(tx, { id })) ?? fail('REFERENCE_NOT_FOUND')

async function save(work: Inside, changed: Operator): Promise<Operator> {
  await store.saveOperator(work.tx, changed, work.now)
  return changed
}

export type Invited = Pick<Operator, 'name' | 'email' | 'roles' | 'platforms'>

/** A name that was invited and never came is invited again; its older links are void. */
export async function inviteOperator(work: Inside, invited: Invited): Promise<Operator> {
  const { tx, now } = work
  await store.lockOperators(tx)
  const known = await store.findOperator(tx, { name: invited.name })
  if (known && known.status !== 'INVITED') fail('CONFLICT', { reason: 'NAME_TAKEN' })
  if (known) {
    await store.endAccess(tx, known.id, now)
    return save(work, { ...known, ...invited })
  }
  const id = newId('operator')
  await store.insertOperator(tx, { id, ...invited }, now)
  return mustBeThere(work, id)
}

export type OperatorChange = Readonly<{
  name?: string | undefined
  roles?: readonly Role[] | undefined
  /** Null takes the limit away. */
  platforms?: readonly Id<'platform'>[] | null | undefined
}>

export const updateOperator = (
  work: Inside,
  id: Id<'operator'>,
  { name, roles, platforms }: OperatorChange,
): Promise<Operator> =>
  keepingAdmin(work, async () => {
    const known = await mustBeThere(work, id)
    const other = name === undefined ? undefined : await store.findOperator(work.tx, { name })
    if (other && other.id !== id) fail('CONFLICT', { reason: 'NAME_TAKEN' })
    return save(work, {
      ...known,
      name: name ?? known.name,
      roles: roles ?? known.roles,
      platforms: platforms === undefined ? known.platforms : platforms,
    })
  })

/** Sessions, links, tokens and proposals end with it; every process asks for the record at each call (OPER-2). */
export const disableOperator = (work: Work, id: Id<'operator'>): Promise<Operator> =>
  keepingAdmin(work, async () => {
    const known = await mustBeThere(work, id)
    if (known.status === 'DISABLED') fail('CONFLICT', { status: known.status })
    await store.endAccess(work.tx, id, work.now)
    await withdrawProposalsOf(work, id)
    return save(work, { ...known, status: 'DISABLED' })
  })

/** One that never came waits for its invitation again. */
export async function enableOperator(work: Inside, id: Id<'operator'>): Promise<Operator> {
  await store.lockOperators(work.tx)
  const known = await mustBeThere(work, id)
  if (known.status !== 'DISABLED') fail('CONFLICT', { status: known.status })
  return save(work, { ...known, status: known.lastSeenAt === null ? 'INVITED' : 'ACTIVE' })
}

/** Makes an administrator of the whole installation, of a new name or of a known one (OPER-8). */
export async function recoverOperator(work: Inside, name: string): Promise<Operator> {
  const { tx, now } = work
  await store.lockOperators(tx)
  const known = await store.findOperator(tx, { name })
  const operator = known ?? (await inviteOperator(work, newAdmin(name)))
  await store.noteRecovery(tx, operator.id, now)
  const roles = [...new Set<Role>([...operator.roles, 'ADMIN'])]
  const status = operator.status === 'DISABLED' ? 'INVITED' : operator.status
  return save(work, { ...operator, roles, platforms: null, status })
}

const newAdmin = (name: string): Invited => ({
  name,
  email: null,
  roles: ['ADMIN'],
  platforms: null,
})
