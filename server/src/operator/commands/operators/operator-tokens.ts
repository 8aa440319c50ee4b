import { isIP } from 'node:net'
import { Type } from '../../../infra/http/schema/type.ts'
import { ANY_ROLE, ROLES, type Role } from '../../../kernel/access/operator.ts'
import { addMs, DAY_MS, HOUR_MS, toWireTime } from '../../../kernel/clock.ts'
import { fail } from '../../../kernel/errors.ts'
import { failNotFound, formatId, mustParseId } from '../../../kernel/ids.ts'
import type { Deps } from '../../../infra/deps.ts'
import { idField, timestamp } from '../../../infra/http/schema/wire-schema.ts'
import { callerOf } from '../../access/caller.ts'
import { failScope, includesRole, mustBeFresh } from '../../access/must-be-allowed.ts'
import { defineCommand, onlyArg, record, UsageError, type Input } from '../../command.ts'
import { inHouse } from '../../in-platform.ts'
import { createToken } from '../../operators/create-token.ts'
import type { Operator } from '../../operators/operator.ts'
import { findOperator } from '../../operators/store.ts'
import { findToken, listTokens, revokeToken } from '../../operators/token-store.ts'
import type { OperatorToken } from '../../operators/token-store.ts'
import { mustFindOperator, nameOf, platformsOf, rolesOf, ROLES_OPTION } from './options.ts'

const PERSONAL_MS = 12 * HOUR_MS
const DAYS = /^([1-9]|[1-9]\d|[12]\d\d|3[0-5]\d|36[0-5])$/
const COMMAND = /^[a-z-]+(\.[a-z-]+)?$/

export const TOKEN_FIELDS = {
  operatorTokenId: idField('operatorToken'),
  operatorId: idField('operator'),
  name: Type.String(),
  personal: Type.Boolean(),
  roles: Type.Array(Type.Enum([...ROLES])),
  platforms: Type.Optional(Type.Array(idField('platform'))),
  commands: Type.Optional(Type.Array(Type.String())),
  addresses: Type.Optional(Type.Array(Type.String())),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  lastUsedAt: Type.Optional(timestamp()),
}

const toWire = (token: OperatorToken) => ({
  operatorTokenId: formatId('operatorToken', token.id),
  operatorId: formatId('operator', token.operatorId),
  name: token.name,
  personal: token.isPersonal,
  roles: [...token.roles],
  ...(token.platforms && { platforms: token.platforms.map((id) => formatId('platform', id)) }),
  ...(token.commands && { commands: [...token.commands] }),
  ...(token.addresses && { addresses: [...token.addresses] }),
  createdAt: toWireTime(token.createdAt),
  expiresAt: toWireTime(token.expiresAt),
  ...(token.lastUsedAt && { lastUsedAt: toWireTime(token.lastUsedAt) }),
})

/** Those of others are an administrator's of the whole installation. */
function rolesToManage(deps: Deps, { id }: Pick<Operator, 'id'>): readonly Role[] {
  const { operatorId, platforms } = callerOf(deps)
  if (operatorId === id) return ANY_ROLE
  return platforms ? failScope() : ['ADMIN']
}

const rolesForNamed = async (deps: Deps, input: Input): Promise<readonly Role[]> => {
  const word = input.option('operator')
  return word === undefined ? ANY_ROLE : rolesToManage(deps, await mustFindOperator(deps, word))
}

/** The tokens of an operator that work, where the caller may see them. */
export async function tokensSeenBy(deps: Deps, { id }: Pick<Operator, 'id'>) {
  const { operatorId, roles, platforms } = callerOf(deps)
  if (operatorId !== id && (platforms || !includesRole(roles, 'ADMIN'))) return undefined
  const tokens = await listTokens(deps.db.read, { operatorId: id, now: deps.clock.now() })
  return tokens.map(toWire)
}

const list = defineCommand({
  name: 'operator-tokens list',
  access: { roles: ANY_ROLE, rolesFor: rolesForNamed },
  about: 'Tokens that work, oldest first: your own; of an ADMIN those of all operators.',
  options: {
    operator: { about: 'Only of this operator, by id or name.', value: 'OPERATOR' },
    own: { about: 'Only your own.', flag: true },
  },
  answers: Type.Array(record(TOKEN_FIELDS)),
  async run(deps, input) {
    const { operatorId = null, roles, platforms } = callerOf(deps)
    const word = input.option('operator')
    const named = word === undefined ? undefined : await mustFindOperator(deps, word)
    const isForAll = roles.includes('ADMIN') && !platforms && !input.flag('own')
    if (!named && !isForAll && operatorId === null) return []
    const now = deps.clock.now()
    const of = named?.id ?? (isForAll ? null : operatorId)
    return (await listTokens(deps.db.read, { operatorId: of, now })).map(toWire)
  },
})

function expiryOf(input: Input, now: Date): Date {
  const days = input.option('expires-in') ?? ''
  if (!DAYS.test(days)) throw new UsageError('--expires-in is a number of days from 1 to 365.')
  return addMs(now, Number(days) * DAY_MS)
}

function addressesOf(input: Input): readonly string[] | null {
  const ranges = input.options('address')
  const isRange = (range: string): boolean => {
    const [address = '', bits = '0', ...more] = range.split('/')
    const bitsMax = { 4: 32, 6: 128 }[isIP(address)] ?? -1
    return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax
  }
  if (!ranges.every(isRange))
    throw new UsageError('--address is an IP address or a range, as 10.0.0.0/8.')
  return ranges.length > 0 ? ranges : null
}

function commandsOf(input: Input): readonly string[] | null {
  const names = input.option('commands')?.split(',') ?? null
  if (names && !names.every((name) => COMMAND.test(name)))
    throw new UsageError('--commands are names as settlements.confirm, separated by commas.')
  return names
}

/** A person makes it, right after proving who they are; so none can be made by a token (OPER-40). */
async function selfOf(deps: Deps): Promise<Operator> {
  const caller = callerOf(deps)
  if (!caller.operatorId || !caller.signedInAt) fail('FORBIDDEN', { reason: 'NOT_SIGNED_IN' })
  mustBeFresh(caller, deps)
  return (await findOperator(deps.db.read, { id: caller.operatorId })) ?? fail('UNAUTHORIZED')
}

const create = defineCommand({
  name: 'operator-tokens create',
  access: {
    roles: ANY_ROLE,
    rolesFor: async (_, input) => (input.flag('personal') ? ANY_ROLE : ['ADMIN']),
    fourEyes: 'always',
    fourEyesFor: async (_, input) => (input.flag('personal') ? undefined : 'always'),
    writes: true,
  },
  showsOnce: ['token'],
  about: 'Make a token that a program acts by as an operator; it is shown once.',
  options: {
    operator: { about: 'Whose it is, by id or name.', value: 'OPERATOR' },
    name: { about: 'What audit entries call it.', value: 'NAME', required: true },
    roles: { ...ROLES_OPTION, about: `${ROLES_OPTION.about} At most those of the operator.` },
    platform: {
      about: 'Limited to this platform; may be repeated.',
      value: 'ID',
      repeatable: true,
    },
    commands: { about: 'Limited to these, as settlements.confirm,look-up.', value: 'LIST' },
    address: { about: 'Only from here; may be repeated.', value: 'CIDR', repeatable: true },
    'expires-in': { about: '1 to 365.', value: 'DAYS' },
    personal: {
      about: 'For yourself, for 12 hours, on the dashboard only: it acts as you.',
      flag: true,
    },
  },
  answers: record({ ...TOKEN_FIELDS, token: Type.String() }),
  async run(deps, input) {
    const isPersonal = input.flag('personal')
    const word = input.option('operator')
    if (!isPersonal && word === undefined) throw new UsageError('Missing: --operator.')
    const operator = isPersonal ? await selfOf(deps) : await mustFindOperator(deps, word ?? '')
    if (!isPersonal && callerOf(deps).platforms) failScope()
    const now = deps.clock.now()
    const request = {
      name: nameOf(input) ?? '',
      isPersonal,
      roles: rolesOf(input) ?? operator.roles,
      platforms: (await platformsOf(deps, input)) ?? null,
      commands: commandsOf(input),
      addresses: addressesOf(input),
      expiresAt: isPersonal ? addMs(now, PERSONAL_MS) : expiryOf(input, now),
    }
    const entry = {
      action: 'operator-tokens create',
      resource: formatId('operator', operator.id),
      note: () => `${request.name}: ${request.roles.join(',')}`,
    }
    const { token, secret } = await inHouse({ ...deps, operator: unlimited(deps) }, entry, (work) =>
      createToken(work, operator, request),
    )
    return { ...toWire(token), token: secret }
  },
})

/** The entry about one's own token is in the house, which an operator of one platform does not see. */
const unlimited = (deps: Deps) => {
  const { platforms: _, ...caller } = callerOf(deps)
  return caller
}

const mustFind = async (deps: Deps, input: Input): Promise<OperatorToken> => {
  const id = mustParseId('operatorToken', onlyArg(input, 'operatorTokenId'))
  return (await findToken(deps.db.read, id)) ?? failNotFound('operatorToken')
}

const revoke = defineCommand({
  name: 'operator-tokens revoke',
  access: {
    roles: ANY_ROLE,
    rolesFor: async (deps, input) =>
      rolesToManage(deps, { id: (await mustFind(deps, input)).operatorId }),
    writes: true,
  },
  about: 'End a token, at once.',
  takes: ['operatorTokenId'],
  answers: record({ operatorTokenId: idField('operatorToken'), revoked: Type.Boolean() }),
  async run(deps, input) {
    const { id, name } = await mustFind(deps, input)
    const operatorTokenId = formatId('operatorToken', id)
    const entry = { action: 'operator-tokens revoke', resource: operatorTokenId, note: () => name }
    const revoked = await inHouse({ ...deps, operator: unlimited(deps) }, entry, ({ tx, now }) =>
      revokeToken(tx, id, now),
    )
    return { operatorTokenId, revoked }
  },
})

export const operatorTokenCommands = { list, create, revoke }
