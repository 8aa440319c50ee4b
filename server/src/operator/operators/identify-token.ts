import { BlockList, isIP } from 'node:net'
import { digestSecret } from '../../crypto/secret-hash.ts'
import type { Caller, Role } from '../../kernel/access/operator.ts'
import { addMs, MINUTE_MS } from '../../kernel/clock.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Deps } from '../../infra/deps.ts'
import { includesRole } from '../access/must-be-allowed.ts'
import { findTokenByDigest, touchToken, type TokenWithOperator } from './token-store.ts'

export const TOKEN_PREFIX = 'flop_'

/**
 * Who a token acts for, with what both allow now; undefined for one that is unknown, expired, revoked, of a disabled
 * operator, or used from another address (OPER-40, OPER-41).
 */
export async function identifyToken(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  secret: string,
  address: string,
): Promise<Caller | undefined> {
  const now = clock.now()
  const token = await findTokenByDigest(db.read, { digest: digestSecret(secret), now })
  if (!token || !isFrom(token, address)) return undefined
  if ((token.lastUsedAt ?? new Date(0)) <= addMs(now, -MINUTE_MS))
    await db.transaction((tx) => touchToken(tx, token, now))
  return callerBy(token)
}

/** A person's own token is the person; any other is a program of theirs (OPER-9). */
function callerBy(token: TokenWithOperator): Caller {
  const { operatorName: name, isPersonal, commands } = token
  const platforms = platformsOf(token)
  return {
    operatorId: token.operatorId,
    name,
    actor: isPersonal
      ? { kind: 'operator', name }
      : { kind: 'operator', by: 'operator-token', name: `${name}/${token.name}` },
    roles: token.roles.filter((role: Role) => includesRole(token.operatorRoles, role)),
    ...(platforms && { platforms }),
    tokenId: token.id,
    isMachine: !isPersonal,
    ...(commands && { commands }),
  }
}

function platformsOf({
  platforms,
  operatorPlatforms,
}: TokenWithOperator): readonly Id<'platform'>[] | null {
  if (!platforms || !operatorPlatforms) return platforms ?? operatorPlatforms
  return platforms.filter((id) => operatorPlatforms.includes(id))
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function isFrom({ addresses }: TokenWithOperator, address: string): boolean {
  if (!addresses) return true
  const allowed = new BlockList()
  for (const range of addresses) {
    const [net = '', bits] = range.split('/')
    if (bits === undefined) allowed.addAddress(net, familyOf(net))
    else allowed.addSubnet(net, Number(bits), familyOf(net))
  }
  return isIP(address) !== 0 && allowed.check(address, familyOf(address))
}
