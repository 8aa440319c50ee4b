import { connectAgent } from '../../sdk/src/index.ts'
import type { WebhookType } from '../../sdk/src/index.ts'
import {
  cardOf,
  clearedPurchase,
  digits,
  fundedAccount,
  newPayee,
  newPerson,
  pass,
  pay,
  purchase,
  quote,
  type Scenario,
} from './sandbox-steps.ts'
import { logIn } from '../demo/strong-authentication.ts'
import { submitBusiness, submitPerson } from './papers.ts'

/** What makes the sandbox emit the event, by calls that any user of the API can make. */
export type Trigger = (scenario: Scenario, origin: string) => Promise<unknown>

const verifyPerson =
  (ending: string): Trigger =>
  (scenario) =>
    submitPerson(scenario, ending)

const verifyBusiness =
  (ending?: string): Trigger =>
  (scenario) =>
    submitBusiness(scenario, ending)

const outgoing =
  (ending?: string): Trigger =>
  (scenario) =>
    pay(scenario, ending)

const buy =
  (ending?: string): Trigger =>
  (scenario) =>
    purchase(scenario, ending)

const receive = ({ florin }: Scenario, receiverUmaAddress: string, sender = 'success.usd') =>
  florin.sandbox.receiveUma({
    senderUmaAddress: `$${sender}@sandbox.uma.test`,
    receiverUmaAddress,
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 5_000,
  })

const payWithUma = async (scenario: Scenario, sender: string): Promise<unknown> =>
  receive(scenario, (await newPerson(scenario)).umaAddress, sender)

/** A payment that is to go on to an account which does not take it. */
async function sendBack(scenario: Scenario): Promise<unknown> {
  const { id, umaAddress } = await newPerson(scenario)
  await newPayee(scenario, '002', id, { defaultUmaDepositAccount: true })
  return receive(scenario, umaAddress)
}

/** A wallet that its holder has to prove; the sandbox takes the check on its page as passed after 30 seconds. */
async function proveWallet(scenario: Scenario): Promise<unknown> {
  const { externalAccounts } = scenario.florin.customers
  const { id: customerId } = await newPerson(scenario, '', { region: 'DE' })
  const { id } = await externalAccounts.create({
    customerId,
    currency: 'USDC',
    ownershipType: 'FIRST_PARTY',
    accountInfo: {
      accountType: 'SOLANA_WALLET',
      address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    },
  })
  await externalAccounts.challenge(id, { method: 'LIVENESS' })
  return pass(scenario, 31)
}

async function askForApproval(scenario: Scenario, baseUrl: string): Promise<unknown> {
  const { florin } = scenario
  const { id: customerId } = await newPerson(scenario)
  const accountId = await fundedAccount(scenario, customerId)
  const payee = await newPayee(scenario, '000', customerId)
  const { deviceCode } = await florin.agents.create({
    name: 'Trigger',
    customerId,
    policy: {
      permissions: ['CREATE_TRANSFERS'],
      defaultExecutionMode: 'APPROVAL_REQUIRED',
      spendingLimits: { currency: 'USD', perTransactionLimit: 1_000_000 },
    },
  })
  const agent = await connectAgent({ baseUrl, deviceCode: deviceCode.code })
  return agent.transfers.createOut({
    source: { accountId },
    destination: { accountId: payee },
    amount: 100,
  })
}

/** A payment of a customer under strong authentication waits for its proof. */
async function awaitProof(scenario: Scenario): Promise<unknown> {
  const { florin } = scenario
  const { id } = await newPerson(scenario, '', { region: 'DE', phoneNumber: '+4915112345678' })
  const from = await fundedAccount(scenario, id)
  await logIn(florin, id)
  const { id: quoteId } = await quote(scenario, { from, to: await newPayee(scenario, '000', id) })
  return florin.quotes.execute(quoteId)
}

const CSV_HEAD =
  'umaAddress,platformCustomerId,customerType,fullName,birthDate,addressLine1,city,state,postalCode,country'

/** A file of one person with a free address, or of one that is nobody. */
const importRow =
  (customerType: string): Trigger =>
  async (scenario) => {
    const { umaAddress } = await newPerson(scenario)
    const free = umaAddress.replace(/^[^@]*/, `$trigger${digits(9)}`)
    const row = `${free},trigger-${digits(9)},${customerType},Ana Martins,1990-05-17,1 Main St,San Francisco,CA,94105,US`
    const file = new File([`${CSV_HEAD}\n${row}\n`], 'customers.csv', { type: 'text/csv' })
    return scenario.florin.customers.bulk.uploadCsv({ file })
  }

/** Every type that the sandbox can reach, and how. */
export const TRIGGERS: Partial<Record<WebhookType, Trigger>> = {
  'CUSTOMER.KYC_PENDING': (scenario) => newPerson(scenario, '001'),
  'CUSTOMER.KYC_APPROVED': (scenario) => newPerson(scenario),
  'CUSTOMER.KYC_REJECTED': (scenario) => newPerson(scenario, '002'),
  'CUSTOMER.KYB_PENDING': verifyBusiness('001'),
  'CUSTOMER.KYB_APPROVED': verifyBusiness(),
  'CUSTOMER.KYB_REJECTED': verifyBusiness('002'),
  'VERIFICATION.IN_PROGRESS': verifyBusiness('001'),
  'VERIFICATION.RESOLVE_ERRORS': verifyPerson('003'),
  'VERIFICATION.PENDING_MANUAL_REVIEW': verifyPerson('001'),
  'VERIFICATION.APPROVED': verifyPerson('Able'),
  'VERIFICATION.REJECTED': verifyPerson('002'),
  'OUTGOING_PAYMENT.PENDING': async (scenario) =>
    quote(scenario, { from: await fundedAccount(scenario), to: await newPayee(scenario) }),
  'OUTGOING_PAYMENT.PENDING_AUTHORIZATION': awaitProof,
  'OUTGOING_PAYMENT.PROCESSING': outgoing(),
  'OUTGOING_PAYMENT.COMPLETED': outgoing(),
  'OUTGOING_PAYMENT.FAILED': outgoing('002'),
  'OUTGOING_PAYMENT.EXPIRED': async (scenario) => {
    await quote(scenario, { from: await fundedAccount(scenario), to: await newPayee(scenario) })
    return pass(scenario, 90_000)
  },
  'OUTGOING_PAYMENT.REFUND_PENDING': outgoing('002'),
  'OUTGOING_PAYMENT.REFUND_COMPLETED': outgoing('002'),
  'OUTGOING_PAYMENT.REFUND_FAILED': outgoing('007'),
  'INCOMING_PAYMENT.PENDING': (scenario) => payWithUma(scenario, 'success.usd'),
  'INCOMING_PAYMENT.COMPLETED': (scenario) => fundedAccount(scenario),
  'INCOMING_PAYMENT.FAILED': (scenario) => payWithUma(scenario, 'fail.compliance.usd'),
  'INCOMING_PAYMENT.REFUND_PENDING': sendBack,
  'INCOMING_PAYMENT.REFUND_COMPLETED': sendBack,
  'INTERNAL_ACCOUNT.BALANCE_UPDATED': (scenario) => fundedAccount(scenario),
  'INTERNAL_ACCOUNT.STATUS_UPDATED': async (scenario) =>
    scenario.florin.customers.delete((await newPerson(scenario)).id),
  'EXTERNAL_ACCOUNT.STATUS_UPDATED': proveWallet,
  'CARD.STATE_CHANGE': async (scenario) => {
    const { id } = await cardOf(scenario)
    return scenario.florin.cards.update(id, { state: 'FROZEN' })
  },
  'CARD_TRANSACTION.AUTHORIZED': buy(),
  'CARD_TRANSACTION.PARTIALLY_SETTLED': (scenario) => clearedPurchase(scenario, 400),
  'CARD_TRANSACTION.SETTLED': (scenario) => clearedPurchase(scenario, 1_000),
  'CARD_TRANSACTION.REFUNDED': async (scenario) => {
    const { card, cardTransactionId } = await clearedPurchase(scenario, 1_000)
    return scenario.florin.sandbox.cards.return(card.id, { cardTransactionId, amount: 1_000 })
  },
  'CARD_TRANSACTION.EXCEPTION': async (scenario) => {
    await purchase(scenario, '006')
    return pass(scenario, 10)
  },
  'CARD_TRANSACTION.DECLINED': buy('002'),
  'AGENT_ACTION.PENDING_APPROVAL': askForApproval,
  'INVITATION.CLAIMED': async (scenario) => {
    const { florin } = scenario
    const { umaAddress: inviterUma } = await newPerson(scenario)
    const { umaAddress: inviteeUma } = await newPerson(scenario)
    const { code } = await florin.invitations.create({ inviterUma })
    return florin.invitations.claim(code, { inviteeUma })
  },
  'BULK_UPLOAD.COMPLETED': importRow('INDIVIDUAL'),
  'BULK_UPLOAD.FAILED': importRow('NOBODY'),
  TEST: ({ florin }) => florin.sandbox.testWebhook(),
}

/** What no call of a sandbox brings about, and why. */
export const NOT_TRIGGERED: Partial<Record<WebhookType, string>> = {
  'VERIFICATION.READY_FOR_VERIFICATION':
    'A verification begins as it is submitted, so none is ever ready for it.',
  'INCOMING_PAYMENT.REFUND_FAILED': 'What the sandbox sends back arrives.',
  'INTERNAL_ACCOUNT.FUNDING_INSTRUCTIONS_UPDATED':
    'It comes of a provider that opens accounts; those of the sandbox have their instructions from the start.',
  'CARD.FUNDING_SOURCE_CHANGE':
    'A customer has one account in the currency of its card, and so none to change to.',
}
