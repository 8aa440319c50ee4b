import { newUuid } from '../../../src/kernel/ids.ts'
import type { PaymentInstructions } from '../../../../sdk/src/index.ts'
import { expectStatus, items, text, type Body, type Shown } from '../api.ts'
import { currencyOf, listAccounts } from '../customers.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { scriptedProvider, type ScriptedProvider } from '../outside/scripted-provider.ts'
import { payer } from '../payments.ts'
import { PULLS } from './rails.ts'

export type DepositSetup = Readonly<{
  platform: TestPlatform
  provider: ScriptedProvider
  customerId: string
  /** A customer's account in USD, without money, and how it is paid into. */
  account: string
  instructions: readonly Shown<PaymentInstructions>[]
  number: string
  reference: string
  /** Sends one deposit; what became of it. */
  send(item: object): Promise<Body>
}>

export const newDepositId = (): string => `stm-${newUuid()}`

/** A sandbox platform whose money comes in through a provider that the test plays, so that its clock can be moved. */
export async function depositSetup(
  kit: Kit,
  {
    currencies = ['USD', 'EUR', 'USDC'],
    ports = 'deposits',
    options = '',
  }: Readonly<{ currencies?: string[]; ports?: string; options?: string }> = {},
): Promise<DepositSetup> {
  const platform = await kit.platform({ currencies })
  const { account, customerId } = await payer(platform, { funded: 0 })
  const accounts = await listAccounts(platform, { id: customerId })
  const dollars = accounts.find((one) => currencyOf(one) === 'USD')
  const instructions = dollars?.fundingPaymentInstructions ?? []
  const info = instructions[0]?.accountOrWalletInfo
  const provider = await scriptedProvider(
    kit,
    `--environment SANDBOX --platform ${platform.platformId} --ports ${ports} ${ports.includes('rails') ? PULLS : options}`.trim(),
  )
  return {
    platform,
    provider,
    customerId,
    account,
    instructions,
    number: text(info?.accountNumber),
    reference: text(info?.reference),
    async send(item) {
      const at = new Date().toISOString()
      const answer = await provider.post('deposits', { deposits: [{ at, ...item }] })
      return items(answer['results'])[0] ?? answer
    },
  }
}

/** A deposit in dollars that has come over ACH. */
export const dollars = (amount: number, more: object = {}) => ({
  depositId: newDepositId(),
  state: 'RECEIVED',
  amount: { amount, currency: 'USD' },
  rail: 'ACH',
  at: '2026-11-15T09:12:00.000Z',
  ...more,
})

/** A quote that waits for 20,000 dollars, and the reference that they need. */
export async function awaitFunds({ api }: TestPlatform, accountId: string) {
  const made = await api.post('/quotes', {
    source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
    destination: { destinationType: 'ACCOUNT', accountId },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 20_000,
  })
  const quote = expectStatus(made, 201)
  const [instruction] = items(quote.paymentInstructions)
  const reference = text(instruction?.accountOrWalletInfo.reference)
  return { transactionId: quote.transactionId, reference }
}
