import { Type } from '../../infra/http/schema/type.ts'
import { ROLES, type Caller, type Role } from '../../kernel/access/operator.ts'
import { toWireTime } from '../../kernel/clock.ts'
import { formatId, type Id } from '../../kernel/ids.ts'
import { idField, timestamp } from '../../infra/http/schema/wire-schema.ts'

export type OperatorStatus = 'INVITED' | 'ACTIVE' | 'DISABLED'

export type Operator = Readonly<{
  id: Id<'operator'>
  name: string
  email: string | null
  status: OperatorStatus
  roles: readonly Role[]
  /** The platforms it is limited to; null for all. */
  platforms: readonly Id<'platform'>[] | null
  issuer: string | null
  subject: string | null
  /** Whether its roles once came from groups at the issuer. */
  hadGroups: boolean
  createdAt: Date
  lastSeenAt: Date | null
}>

const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u

/** Printable, as audit entries show it: characters that nobody sees would make two names look alike. */
export const isOperatorName = (name: string): boolean => NAME.test(name)

export const OPERATOR_FIELDS = {
  operatorId: idField('operator'),
  name: Type.String(),
  email: Type.Optional(Type.String()),
  status: Type.String(),
  roles: Type.Array(Type.Enum([...ROLES])),
  platforms: Type.Optional(Type.Array(idField('platform'))),
  identity: Type.Optional(Type.Object({ issuer: Type.String(), subject: Type.String() })),
  createdAt: timestamp(),
  lastSeenAt: Type.Optional(timestamp()),
}

const identityOf = ({ issuer, subject }: Operator) =>
  issuer !== null && subject !== null ? { identity: { issuer, subject } } : {}

export const operatorToWire = (operator: Operator) => ({
  operatorId: formatId('operator', operator.id),
  name: operator.name,
  ...(operator.email !== null && { email: operator.email }),
  status: operator.status,
  roles: [...operator.roles],
  ...(operator.platforms && {
    platforms: operator.platforms.map((id) => formatId('platform', id)),
  }),
  ...identityOf(operator),
  createdAt: toWireTime(operator.createdAt),
  ...(operator.lastSeenAt && { lastSeenAt: toWireTime(operator.lastSeenAt) }),
})

/** The person, with all that the record gives. */
export const callerAs = ({
  id,
  name,
  roles,
  platforms,
}: Pick<Operator, 'id' | 'name' | 'roles' | 'platforms'>): Caller => ({
  operatorId: id,
  name,
  actor: { kind: 'operator', name },
  roles,
  ...(platforms && { platforms }),
  isMachine: false,
})
