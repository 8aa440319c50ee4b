/** Which operator somebody is who proved an identity to the issuer, and with what roles (OPER-34, OPER-35). */
import { ROLES, type Role } from '../../../kernel/access/operator.ts'
import { formatId, newId } from '../../../kernel/ids.ts'
import type { GroupRoles } from '../../../infra/settings/setting-kinds.ts'
import { audit } from '../../../infra/work/audit.ts'
import type { Work } from '../../../infra/work/work.ts'
import { disableOperator, keepingAdmin } from '../../operators/change-operator.ts'
import { isOperatorName, type Operator } from '../../operators/operator.ts'
import * as store from '../../operators/store.ts'

export type Identity = Readonly<{
  issuer: string
  subject: string
  /** Only where the issuer has verified it. */
  email: string | undefined
  /** What a new operator may be called, the best first. */
  names: readonly string[]
  groups: readonly string[]
}>

export type Admitted = Readonly<{
  operator: Operator
  /** Undefined for a new one. */
  before: Operator | undefined
}>

export type Admission = Admitted | Readonly<{ refusal: string; operatorId?: string }>

const rolesByGroups = (
  table: readonly GroupRoles[],
  groups: readonly string[],
): readonly Role[] => {
  const mapped = table.filter(({ group }) => groups.includes(group)).flatMap(({ roles }) => roles)
  return ROLES.filter((role) => mapped.includes(role))
}

/** Fails: CONFLICT where the roles by groups would take the last administrator away (OPER-5). */
export const admit = (
  work: Work,
  identity: Identity,
  table: readonly GroupRoles[],
): Promise<Admission> =>
  keepingAdmin(work, async () => {
    const roles = rolesByGroups(table, identity.groups)
    const known = await store.findOperator(work.tx, { identity })
    if (known) return admitKnown(work, known, roles)
    const invited = identity.email && (await store.findInvited(work.tx, identity.email))
    if (invited) return admitInvited(work, invited, { identity, roles })
    if (roles.length === 0) return { refusal: 'no mapped group and no invitation' }
    return admitNew(work, { identity, roles })
  })

async function admitKnown(work: Work, known: Operator, roles: readonly Role[]): Promise<Admission> {
  const operatorId = formatId('operator', known.id)
  if (known.status === 'DISABLED') return { refusal: 'operator is DISABLED', operatorId }
  if (roles.length > 0) return save(work, known, { ...known, roles, hadGroups: true })
  if (!known.hadGroups) return { operator: known, before: known }
  const refusal = 'no mapped group any more'
  await disableOperator(work, known.id)
  audit(work, { action: 'operators disable', resource: operatorId, note: refusal })
  return { refusal, operatorId }
}

type Proven = Readonly<{ identity: Identity; roles: readonly Role[] }>

/** The invitation is used up by it; a link that came with it is void. */
async function admitInvited(
  work: Work,
  invited: Operator,
  { identity: { issuer, subject }, roles }: Proven,
): Promise<Admission> {
  await store.endAccess(work.tx, invited.id, work.now)
  const hadGroups = roles.length > 0
  const given = hadGroups ? roles : invited.roles
  return save(work, invited, { ...invited, issuer, subject, roles: given, hadGroups })
}

async function admitNew(work: Work, { identity, roles }: Proven): Promise<Admission> {
  const { issuer, subject, email = null } = identity
  const id = newId('operator')
  const name = await freeName(work, [...identity.names, id])
  const created = { id, name, email, roles, platforms: null }
  await store.insertOperator(work.tx, created, work.now)
  const operator: Operator = {
    ...created,
    status: 'ACTIVE',
    issuer,
    subject,
    hadGroups: true,
    createdAt: work.now,
    lastSeenAt: null,
  }
  return { ...(await save(work, operator, operator)), before: undefined }
}

/** Names are unique: audit entries name operators by them. */
async function freeName({ tx }: Work, names: readonly string[]): Promise<string> {
  const wanted = names.map((name) => name.trim()).filter(isOperatorName)
  const taken = new Set(await store.takenNames(tx, wanted))
  return wanted.find((name) => !taken.has(name)) ?? ''
}

async function save(work: Work, before: Operator, operator: Operator) {
  await store.saveOperator(work.tx, operator, work.now)
  return { operator, before }
}
