/** Payments out of embedded wallets in tests: funded, quoted, and executed with a stamp or without. */
import type { Quote } from '../../../../sdk/src/index.ts'
import { expectStatus, items, text, type HasId, type Shown } from '../api.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { fund, payee, quote } from '../payments.ts'
import { stamp, type DeviceKey } from './client.ts'
import { logIn, newWallet, signedHeaders, type SignedHeaders, type TestWallet } from './wallets.ts'

export type PayingWallet = Readonly<{ wallet: TestWallet; device: DeviceKey; to: string }>

/** A wallet with money, a device that is logged in to it, and somebody to pay. */
export async function payingWallet(
  kit: Kit,
  {
    platform,
    customer,
    funded = 100_000_000,
  }: { platform?: TestPlatform; customer?: object; funded?: number } = {},
): Promise<PayingWallet> {
  const wallet = await newWallet(kit, {
    ...(platform && { platform }),
    ...(customer && { customer }),
  })
  if (funded > 0) await fund(wallet.platform, wallet.accountId, funded)
  const { device } = await logIn(wallet)
  const to = await payee(wallet.platform, 'USD_ACCOUNT')
  return { wallet, device, to }
}

export async function walletQuote(
  { wallet, to }: Pick<PayingWallet, 'wallet' | 'to'>,
  amount = 10_000_000,
) {
  const { platform, accountId: from } = wallet
  return expectStatus(await quote(platform, { from, to, amount }), 201)
}

/** What the quote itself says is to be signed. */
export const payloadOf = (quoted: Shown<Quote>): string =>
  text(items(quoted.paymentInstructions)[0]?.accountOrWalletInfo.payloadToSign)

export const stampOf = (device: DeviceKey, quoted: Shown<Quote>): Promise<string> =>
  stamp(device, payloadOf(quoted))

export const executeSigned = (
  { platform: { api } }: Pick<TestWallet, 'platform'>,
  quoted: HasId,
  given: SignedHeaders & { body?: unknown; key?: string } = {},
) =>
  api.post(`/quotes/${quoted.id}/execute`, given.body, {
    headers: { ...signedHeaders(given), ...(given.key && { 'Idempotency-Key': given.key }) },
  })
