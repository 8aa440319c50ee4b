import { fail, type ErrorCode } from '../../kernel/errors.ts'
import type { RemoteReceiver } from '../../providers/uma/uma-network.ts'
import { CUSTOMER_INFO_FIELD_NAMES, providerRequirementsOf, readConfig } from '../platform/index.ts'
import { findReceiver, type RequestedField, type Receiver, type UmaAddress } from '../uma/index.ts'
import { limitsIn, type ReceiverCurrency } from './receiver-currency.ts'
import type { Reading } from './sender.ts'

/** What is known of a receiver before it is paid, wherever it is. */
export type DescribedReceiver = Readonly<{
  /** In the receiver's order of preference. */
  currencies: readonly ReceiverCurrency[]
  /** What it asks to know of whoever pays in a currency. */
  asksIn(currency: string): readonly RequestedField[]
  /** What a pay request is answered in place of an invoice. */
  quoteRefusal?: ErrorCode | undefined
  /** Only of one elsewhere. */
  remote?: RemoteReceiver
}>

/** Asks a provider elsewhere. Fails: the codes of UMA-8. */
export type AskRemote = (address: UmaAddress) => Promise<RemoteReceiver>

/**
 * A receiver wherever it is: one that the sandbox plays, a customer of this installation, or one elsewhere.
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
  if (found.route === 'sandbox') return describePlayed(reading, found)
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

/** UMA-6: what nobody here knows of cannot be told, and may be left out unless it is mandatory. */
function askedField(name: string, mandatory: boolean): RequestedField[] {
  const known = CUSTOMER_INFO_FIELD_NAMES.find((one) => one === name)
  if (known) return [{ name: known, mandatory }]
  return mandatory ? fail('UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY', { field: name }) : []
}

async function describePlayed(
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
  const settingOf = (currency: string) => configured.find((one) => one.currency === currency)
  const offered = accounts.map(({ currency }) => currency)
  return {
    currencies: await limitsIn(reading, platform, offered),
    asksIn: (currency) => allAsked(settingOf(currency)?.requiredCounterpartyFields ?? [], currency),
  }
}

/** What the platform asks for, and what those who move the currency have to be told. */
function allAsked(asked: readonly RequestedField[], currency: string): RequestedField[] {
  const required = providerRequirementsOf(currency).counterparty
  const optional = asked.filter(({ name }) => !required.includes(name))
  return [...required.map((name) => ({ name, mandatory: true })), ...optional]
}
