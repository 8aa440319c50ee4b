import { fail, type ErrorCode } from '../../kernel/errors.ts'
import type { RemoteReceiver } from '../../providers/uma/uma-network.ts'
import { CUSTOMER_INFO_FIELD_NAMES, providerRequirementsOf, readConfig } from '../platform/index.ts'
import { findReceiver, type RequestedField, type Receiver, type UmaAddress } from '../uma/index.ts'
import { limitsIn, type ReceiverCurrency } from './receiver-currency.ts'
import type { Reading } from './sender.ts'

/** A receiver before it is paid, here or at another provider. */
export type DescribedReceiver = Readonly<{
  /** In the receiver's order of preference. */
  currencies: readonly ReceiverCurrency[]
  /** The payer data that the receiver asks for in a currency. */
  asksIn(currency: string): readonly RequestedField[]
  /** The error that a pay request answers instead of an invoice. */
  quoteRefusal?: ErrorCode | undefined
  /** Set for a receiver at another provider only. */
  remote?: RemoteReceiver
}>

/** Asks another provider. Fails: the codes of UMA-8. */
export type AskRemote = (address: UmaAddress) => Promise<RemoteReceiver>

/**
 * Describes a receiver: a simulated one of the sandbox, a customer of this installation, or one at another provider.
 * Fails: as findReceiver refuses, and as `askRemote` does.
 */
export async function describeReceiver(
  reading: Reading,
  address: UmaAddress,
  askRemote: AskRemote,
): Promise<DescribedReceiver> {
  const looked = await findReceiver(reading, address)
  if (!looked.ok) return fail(looked.code)
  const { found } = looked
  if (found.route === 'sandbox') return describeSandbox(reading, found)
  if (found.route === 'local') return describeLocal(reading, found)
  return describeRemote(await askRemote(address))
}

function describeRemote(remote: RemoteReceiver): DescribedReceiver {
  const { currencies, asks } = remote
  return {
    currencies,
    asksIn: () => asks.flatMap(({ name, mandatory }) => askedField(name, mandatory)),
    remote,
  }
}

/** An unknown field is left out, and refused where it is mandatory (UMA-6). */
function askedField(name: string, mandatory: boolean): RequestedField[] {
  const known = CUSTOMER_INFO_FIELD_NAMES.find((field) => field === name)
  if (known) return [{ name: known, mandatory }]
  return mandatory ? fail('UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY', { field: name }) : []
}

async function describeSandbox(
  reading: Reading,
  { receiver }: Extract<Receiver, { route: 'sandbox' }>,
): Promise<DescribedReceiver> {
  const { currency, asksOfPayer, quoteRefusal } = receiver
  return {
    currencies: await limitsIn(reading, reading.platform, [currency]),
    asksIn: () => asksOfPayer,
    quoteRefusal,
  }
}

async function describeLocal(
  reading: Reading,
  { platform, accounts }: Extract<Receiver, { route: 'local' }>,
): Promise<DescribedReceiver> {
  const { currencies: configured } = await readConfig({ tx: reading.tx, platform })
  const settingOf = (currency: string) =>
    configured.find((setting) => setting.currency === currency)
  const offered = accounts.map(({ currency }) => currency)
  return {
    currencies: await limitsIn(reading, platform, offered),
    asksIn: (currency) => allAsked(settingOf(currency)?.requiredCounterpartyFields ?? [], currency),
  }
}

/** The fields that the platform asks for, and those that the currency's providers require. */
function allAsked(asked: readonly RequestedField[], currency: string): RequestedField[] {
  const required = providerRequirementsOf(currency).counterparty
  const optional = asked.filter(({ name }) => !required.includes(name))
  return [...required.map((name) => ({ name, mandatory: true })), ...optional]
}
