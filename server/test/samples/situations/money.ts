/** What the operations that move money need: accounts with money, payees, quotes, and payments in the right state. */
import { expectStatus, text } from '../../kit/api.ts'
import { externalAccountBody } from '../../kit/accounts/external-account-bodies.ts'
import {
  newAccount,
  newOwnWallet,
  PLATFORM,
  walletBody,
} from '../../kit/accounts/external-accounts.ts'
import { createCustomer } from '../../kit/customers.ts'
import type { TestPlatform } from '../../kit/florin.ts'
import { advance } from '../../kit/outside/connect-receiver.ts'
import { createInvitation } from '../../kit/onboarding/invitations.ts'
import { customerAccount, execute, payee, payer, quote, quoteBody } from '../../kit/payments.ts'
import { awaiting, scaPayer } from '../../kit/sca/payments.ts'
import { END_USER, RIGHT } from '../../kit/sca/sca.ts'
import { receiveUma, sandboxUma, umaAddressOf } from '../../kit/uma.ts'
import { newWallet } from '../../kit/wallets/signing-wallets.ts'
import { firstEvent, nextNumber, type Prepare, type SampleSetting } from './situation.ts'

const bankAccount = (more: object = {}) => ({
  ...externalAccountBody('USD_ACCOUNT', { accountNumber: `${20_000_000 + nextNumber()}0` }),
  ...more,
})

type Paid = Readonly<{ type?: string; suffix?: string; isExecuted?: boolean }>

/** A quote of a customer, and its payment. */
async function quoted(
  platform: TestPlatform,
  { type = 'EUR_ACCOUNT', suffix = '000', isExecuted = false }: Paid = {},
) {
  const { account: from } = await payer(platform)
  const to = await payee(platform, type, { suffix })
  const made = expectStatus(await quote(platform, { from, to, amount: 10_000 }), 201)
  if (isExecuted) expectStatus(await execute(platform, made), 200)
  return made
}

const aboutQuote: Prepare = async ({ platform }) => ({
  params: { quoteId: (await quoted(platform)).id },
})

const aboutPayment =
  (paid: Paid): Prepare =>
  async ({ platform }) => ({
    params: {
      transactionId: text((await quoted(platform, { ...paid, isExecuted: true })).transactionId),
    },
  })

/** A payment that waits for the platform. */
const arrived =
  (body?: object): Prepare =>
  async ({ platform }) => {
    const { customerId } = await payer(platform, { funded: 0 })
    const { id } = expectStatus(await receiveUma(platform, { customerId }), 200)
    return { params: { transactionId: id }, ...(body && { body }) }
  }

/** Has to prove that a wallet is its own. */
const EUROPEAN = { region: 'DE' }

const challenge = { body: { method: 'WALLET_SIGNATURE' } }

async function proof(platform: TestPlatform, path: string, wallet: ReturnType<typeof newWallet>) {
  const asked = await platform.api.post(
    `${path}/challenge` as '/customers/external-accounts/x/challenge',
    challenge.body,
  )
  return { signature: wallet.sign(text(expectStatus(asked, 201).messageToSign)) }
}

async function platformWallet({ api }: TestPlatform) {
  const wallet = newWallet()
  const { id } = await newAccount(api, walletBody(wallet, {}), PLATFORM)
  return { id, wallet }
}

const aboutInvitation: Prepare = async ({ platform }) => ({
  params: { invitationCode: (await createInvitation(platform)).code },
})

async function authorization({ kit }: SampleSetting) {
  const paying = await scaPayer(kit)
  return { platform: paying.platform, params: { quoteId: (await awaiting(paying)).id } }
}

export const MONEY: Readonly<Record<string, Prepare>> = {
  updatePlatformConfig: async ({ endpoint }) => ({ body: { webhookEndpoint: endpoint } }),
  getEvent: async ({ platform }) => ({ params: { eventId: await firstEvent(platform) } }),
  streamEvents: async () => ({ query: { after: '0' } }),
  redeliverEvent: async ({ platform }) => ({ params: { eventId: await firstEvent(platform) } }),
  createCustomerExternalAccount: async ({ platform }) => ({
    body: bankAccount({ customerId: (await createCustomer(platform)).id }),
  }),
  createPlatformExternalAccount: async () => ({ body: bankAccount() }),
  getCustomerExternalAccountById: async ({ platform }) => customerPayee(platform),
  deleteCustomerExternalAccountById: async ({ platform }) => customerPayee(platform),
  createExternalAccountOwnershipChallenge: async ({ platform }) => {
    const { id } = await createCustomer(platform, EUROPEAN)
    const { account } = await newOwnWallet(platform.api, id)
    return { params: { externalAccountId: account.id }, ...challenge }
  },
  verifyExternalAccountOwnership: async ({ platform }) => {
    const { id } = await createCustomer(platform, EUROPEAN)
    const { wallet, account, path } = await newOwnWallet(platform.api, id)
    return { params: { externalAccountId: account.id }, body: await proof(platform, path, wallet) }
  },
  createPlatformExternalAccountOwnershipChallenge: async ({ unregulated: platform }) => ({
    platform,
    params: { externalAccountId: (await platformWallet(platform)).id },
    ...challenge,
  }),
  verifyPlatformExternalAccountOwnership: async ({ unregulated: platform }) => {
    const { id, wallet } = await platformWallet(platform)
    return {
      platform,
      params: { externalAccountId: id },
      body: await proof(platform, `${PLATFORM}/${id}`, wallet),
    }
  },
  getExchangeRates: async () => ({
    query: { sourceCurrency: 'USD', destinationCurrency: 'EUR', sendingAmount: '10000' },
  }),
  getDiscoveries: async () => ({ query: { country: 'DE', currency: 'EUR' } }),
  estimateCryptoWithdrawalFee: async ({ platform }) => {
    const { account } = await payer(platform, { currency: 'USDC', funded: 5_000_000 })
    return {
      body: {
        internalAccountId: account,
        currency: 'USDC',
        cryptoNetwork: 'SOLANA',
        amount: 1_000_000,
        destinationAddress: newWallet().address,
      },
    }
  },
  getTransactionById: aboutPayment({}),
  confirmReceiptDelivery: aboutPayment({}),
  cancelTransaction: aboutPayment({ type: 'USD_ACCOUNT', suffix: '003' }),
  approvePendingPayment: arrived(),
  rejectPendingPayment: arrived({ reason: 'Unknown sender' }),
  lookupUma: async ({ platform }) => ({
    params: { receiverUmaAddress: sandboxUma('success.usd') },
    query: { customerId: (await createCustomer(platform)).id },
  }),
  lookupExternalAccount: async ({ platform }) => {
    const { id: customerId } = await createCustomer(platform)
    return {
      params: { accountId: await payee(platform, 'EUR_ACCOUNT', { customerId }) },
      query: { customerId },
    }
  },
  createQuote: async ({ platform }) => {
    const { account: from } = await payer(platform)
    const to = await payee(platform, 'EUR_ACCOUNT')
    return { body: quoteBody({ from, to, amount: 10_000, description: 'Invoice 2041' }) }
  },
  getQuoteById: aboutQuote,
  executeQuote: aboutQuote,
  authorizeQuote: async (setting) => ({
    ...(await authorization(setting)),
    body: { code: RIGHT, endUserIpAddress: END_USER },
  }),
  resendQuoteScaCode: async (setting) => {
    const situation = await authorization(setting)
    await advance(situation.platform, 31)
    return situation
  },
  createTransferOut: async ({ platform }) => {
    const { customerId, account } = await payer(platform)
    const to = await payee(platform, 'USD_ACCOUNT', { customerId })
    return { body: transfer(account, to) }
  },
  createTransferIn: async ({ platform }) => {
    const { customerId, account } = await payer(platform)
    const from = await payee(platform, 'USD_ACCOUNT', { customerId })
    return { body: transfer(from, account) }
  },
  createInvitation: async ({ platform }) => {
    const { id, umaAddress } = await createCustomer(platform, { fullName: 'Ana Martins' })
    return {
      body: { inviterUma: umaAddress ?? (await umaAddressOf(platform, id)), firstName: 'Ana' },
    }
  },
  getInvitation: aboutInvitation,
  cancelInvitation: aboutInvitation,
  claimInvitation: async ({ platform, unregulated }) => ({
    platform: unregulated,
    params: { invitationCode: (await createInvitation(platform)).code },
    body: { inviteeUma: (await createCustomer(unregulated)).umaAddress },
  }),
  getTimeline: async ({ platform }) => ({
    params: { resourceId: (await quoted(platform, { isExecuted: true })).id },
  }),
  sandboxSend: async ({ platform }) => {
    const asked = await platform.api.post('/quotes', {
      source: { sourceType: 'REALTIME_FUNDING', currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: await payee(platform, 'EUR_ACCOUNT') },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    })
    return { body: { quoteId: expectStatus(asked, 201).id, currencyCode: 'USD' } }
  },
  sandboxReceive: async ({ platform }) => ({
    body: {
      senderUmaAddress: sandboxUma('success.usd'),
      customerId: (await createCustomer(platform)).id,
      receivingCurrencyCode: 'USD',
      receivingCurrencyAmount: 5_000,
    },
  }),
  sandboxFundInternalAccount: async ({ platform }) => {
    const { id } = await createCustomer(platform)
    return {
      params: { accountId: await customerAccount(platform, id, 'USD') },
      body: { amount: 100_000 },
    }
  },
}

const transfer = (from: string, to: string) => ({
  source: { accountId: from },
  destination: { accountId: to },
  amount: 1_000,
})

async function customerPayee(platform: TestPlatform) {
  const { id: customerId } = await createCustomer(platform)
  return { params: { externalAccountId: await payee(platform, 'USD_ACCOUNT', { customerId }) } }
}
