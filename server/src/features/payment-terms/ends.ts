import { parseId, type Id } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import type { TransactionDestination, TransactionSource } from '../transactions/index.ts'
import type { PayingSide, ReceivingSide, Sides, UmaSide, WantedSides } from './sides.ts'

type PlatformId = Id<'platform'>
type Ends = Readonly<{ source: TransactionSource; destination: TransactionDestination }>

/** The accounts and customers that a stored payment names. */
export function wantedSidesOf(platformId: PlatformId, { source, destination }: Ends): WantedSides {
  const named = [source, destination].flatMap((side) =>
    'accountId' in side ? [side.accountId] : [],
  )
  const customer = source.sourceType === 'REALTIME_FUNDING' ? source.customerId : undefined
  const keysOf = <K extends 'internalAccount' | 'externalAccount' | 'customer'>(
    kind: K,
    texts: readonly string[],
  ) =>
    texts.flatMap((text) => {
      const id = parseId(kind, text)
      return id ? [{ platformId, id }] : []
    })
  return {
    internal: keysOf('internalAccount', named),
    external: keysOf('externalAccount', named),
    payers: keysOf('customer', customer === undefined ? [] : [customer]),
  }
}

function accountSide(
  platformId: PlatformId,
  accountId: string,
  sides: Sides,
): Exclude<ReceivingSide, UmaSide> {
  const internal = parseId('internalAccount', accountId)
  if (internal) {
    const account = sides.internal({ platformId, id: internal })
    invariant(account, 'An internal account is never gone.')
    return { kind: 'internal', account }
  }
  const external = parseId('externalAccount', accountId)
  const account = external && sides.external({ platformId, id: external })
  invariant(account, 'An external account stays for its history.')
  return { kind: 'external', account }
}

function receivingSide(
  platformId: PlatformId,
  destination: TransactionDestination,
  sides: Sides,
): ReceivingSide {
  if ('accountId' in destination) return accountSide(platformId, destination.accountId, sides)
  const { umaAddress, currency } = destination
  invariant(currency, 'A payment to a UMA address was priced in its currency.')
  return { kind: 'uma', umaAddress, currency }
}

/** Both ends of a stored payment, as they are now. */
export function endsOf(
  platformId: PlatformId,
  { source, destination }: Ends,
  sides: Sides,
): Readonly<{ paying: PayingSide; receiving: ReceivingSide }> {
  const receiving = receivingSide(platformId, destination, sides)
  if (source.sourceType === 'ACCOUNT') {
    return { paying: accountSide(platformId, source.accountId, sides), receiving }
  }
  invariant(source.sourceType === 'REALTIME_FUNDING', 'A payment out is funded from here.')
  const { currency, customerId } = source
  const id = customerId === undefined ? undefined : parseId('customer', customerId)
  const payer = (id && sides.payer({ platformId, id })) ?? null
  return { paying: { kind: 'realtime', currency, payer }, receiving }
}
