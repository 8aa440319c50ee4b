import { fail, failFields, refusalToError, type FieldError } from '../../kernel/errors.ts'
import { failNotFound, mustParseId } from '../../kernel/ids.ts'
import { invariant } from '../../kernel/invariant.ts'
import { amountFromWire } from '../../kernel/money/wire-money.ts'
import type { Platform } from '../../kernel/platform.ts'
import { traitsOf } from '../../kernel/platform-traits.ts'
import type { Work } from '../../infra/work/work.ts'
import { hasNetworkForm } from '../external-accounts/index.ts'
import { findAccount } from '../internal-accounts/index.ts'
import {
  failWithoutPrice,
  isNetwork,
  networksOf,
  readRates,
  readTerms,
  volumeDayOf,
  wantedForNetwork,
  withdrawalFee,
  type NetworkFee,
  type NetworkName,
} from '../rates/index.ts'
import type { EstimateRequest } from './schema.ts'

/** Errors of the request itself: a network that does not carry the coin, an address of another network (FEE-8). */
export function estimateErrors(
  request: Readonly<Record<string, unknown>>,
  { platform, now }: Readonly<{ platform: Platform; now: Date }>,
): FieldError[] {
  const { currency, cryptoNetwork: network, destinationAddress: address } = request
  const networks: readonly string[] = typeof currency === 'string' ? networksOf(currency) : []
  const errors: FieldError[] = []
  const isCarried = typeof network === 'string' && networks.includes(network)
  if (typeof currency === 'string' && networks.length > 0 && !isCarried) {
    errors.push({
      field: 'cryptoNetwork',
      constraint: { enum: networks },
      message: `must be a network that carries ${currency}`,
    })
  } else if (typeof network === 'string' && isNetwork(network) && typeof address === 'string') {
    const { hasMagicValues } = traitsOf(platform)
    if (!hasNetworkForm({ network, address, hasMagicValues, now })) {
      errors.push({ field: 'destinationAddress', message: `must be an address on ${network}` })
    }
  }
  return errors
}

/**
 * Estimates the cost of a withdrawal over a network and the amount that arrives, whatever the balance (FEE-8, FEE-9).
 * Fails: REFERENCE_NOT_FOUND, INVALID_INPUT on a fiat account, INVALID_CURRENCY where the account holds another coin,
 * QUOTE_REQUEST_FAILED where the network has no fee or its asset no price (FEE-11), AMOUNT_OUT_OF_RANGE where nothing would
 * arrive.
 */
export async function estimateWithdrawalFee(work: Work, request: EstimateRequest) {
  const { tx, platform } = work
  const { currency, cryptoNetwork: network } = request
  const id = mustParseId('internalAccount', request.internalAccountId)
  const account = (await findAccount(tx, platform.id, id)) ?? failNotFound('internalAccount')
  if (account.type === 'INTERNAL_FIAT') {
    failFields([{ field: 'internalAccountId', message: 'must be an account that holds coins' }])
  }
  if (account.currency !== currency) fail('INVALID_CURRENCY', { currency: account.currency })
  invariant(isNetwork(network), 'The request named a network of the coin.')
  const [networkFee, applicationFee] = await Promise.all([
    networkFeeNow(work, { network, currency }),
    applicationFeeNow(work, currency),
  ])
  const amount = amountFromWire(request.amount)
  const fee = withdrawalFee({ amount, currency, network, networkFee, applicationFee })
  if (!fee.ok) throw refusalToError(fee)
  return fee
}

async function networkFeeNow(
  work: Work,
  payout: { network: NetworkName; currency: string },
): Promise<Extract<NetworkFee, { ok: true }>> {
  const rates = await readRates(work.tx, [wantedForNetwork(work, payout)])
  const networkFee = rates.networkFeeOf(work.platform.id, payout)
  return networkFee.ok ? networkFee : failWithoutPrice({ network: payout.network, networkFee })
}

async function applicationFeeNow(
  { tx, platform, now, ports }: Work,
  currency: string,
): Promise<bigint> {
  const corridor = {
    platformId: platform.id,
    sending: currency,
    receiving: currency,
    day: volumeDayOf(now),
  }
  const terms = await readTerms(tx, [{ ...corridor, ports }])
  return terms(corridor).applicationFee
}
