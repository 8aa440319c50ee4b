/** A customer under strong authentication with a payment that waits for its proof. */
import { expectStatus, type Api, type HasId } from '../api.ts'
import type { Kit, TestPlatform } from '../florin.ts'
import { customerAccount, execute, fund, payee, quote } from '../payments.ts'
import { END_USER, logIn, newScaCustomer, RIGHT, type Sca } from './sca.ts'

export type ScaPayer = Readonly<{ platform: TestPlatform; sca: Sca; from: string; to: string }>

/** A logged-in customer with 1,000.00 USD and somebody in Germany to pay. */
export async function scaPayer(kit: Kit): Promise<ScaPayer> {
  const platform = await kit.platform()
  const sca = await newScaCustomer(platform)
  const from = await customerAccount(platform, sca.customerId, 'USD')
  await fund(platform, from, 100_000)
  const to = await payee(platform, 'EUR_ACCOUNT', { customerId: sca.customerId })
  await logIn(sca)
  return { platform, sca, from, to }
}

/** A quote of 100.00 USD that was executed and awaits its proof. */
export async function awaiting({ platform, from, to }: ScaPayer) {
  const created = expectStatus(await quote(platform, { from, to, amount: 10_000 }), 201)
  return expectStatus(await execute(platform, created), 200)
}

export const authorize = (
  { api }: Readonly<{ api: Api }>,
  { id }: HasId,
  proof: object = { code: RIGHT },
) => api.post(`/quotes/${id}/authorize`, { endUserIpAddress: END_USER, ...proof })

/** What can be spent on the payer's account, and what is on it altogether. */
export async function balances({ platform, sca, from }: ScaPayer): Promise<readonly number[]> {
  const query = { customerId: sca.customerId, limit: 100 }
  const answer = await platform.api.get('/customers/internal-accounts', { query })
  const found = expectStatus(answer, 200).data.find(({ id }) => id === from)
  return [found?.balance, found?.totalBalance].map((money) => Number(money?.amount))
}
