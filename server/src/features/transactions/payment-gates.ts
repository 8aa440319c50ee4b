import { fail, refusalToError } from '../../kernel/errors.ts'
import type { Money } from '../../kernel/money.ts'
import { isClosed, paymentSideRefusal } from '../external-accounts/index.ts'
import { mustBeActive } from '../internal-accounts/index.ts'
import type { Prices } from '../rates/index.ts'
import type { PayingSide, ReceivingSide } from './payment-sides.ts'

type Ends = Readonly<{ paying: PayingSide; receiving: ReceivingSide }>
type Received = Readonly<{ received: Money; prices: Prices }>

/**
 * IACC-8, EACC-14, EACC-17, CUST-69: only accounts in use pay and are paid. Fails: USER_NOT_FOUND, USER_NOT_READY,
 * INVALID_BANK_ACCOUNT, EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED, CONFLICT where an external account or its customer was
 * deleted since.
 */
export function mustBeUsable({ paying, receiving }: Ends, received: Received): void {
  mustBeAbleToSend(paying)
  mustBeAbleToReceive(receiving, received)
}

/** Fails: USER_NOT_READY, INVALID_BANK_ACCOUNT, CONFLICT. */
export function mustBeAbleToSend(paying: PayingSide): void {
  if (paying.kind === 'internal') mustBeActive(paying.account)
  if (paying.kind !== 'external') return
  const { status } = paying.account
  if (isClosed(paying.account)) fail('CONFLICT', { reason: 'SOURCE_DELETED' })
  if (status !== 'ACTIVE') fail('INVALID_BANK_ACCOUNT', { status })
}

/** Fails: USER_NOT_READY, INVALID_BANK_ACCOUNT, EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED, CONFLICT. */
export function mustBeAbleToReceive(
  receiving: ReceivingSide,
  { received, prices }: Received,
): void {
  if (receiving.kind === 'uma') return
  if (receiving.kind === 'internal') return mustBeActive(receiving.account)
  const refusal = paymentSideRefusal({ account: receiving.account, received, prices })
  if (refusal) throw refusalToError(refusal)
}
