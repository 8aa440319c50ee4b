/** What the operations about people, companies and their factors need. */
import { expectStatus, text } from '../../kit/api.ts'
import { createCustomer } from '../../kit/customers.ts'
import { createOwner, ownerBody } from '../../kit/onboarding/beneficial-owners.ts'
import { csvOf, individual } from '../../kit/onboarding/bulk-import.ts'
import { pdf } from '../../kit/onboarding/document-files.ts'
import { PASSPORT } from '../../kit/onboarding/documents.ts'
import { PERSON_DATA, uploadPaper } from '../../kit/onboarding/verification.ts'
import type { TestPlatform } from '../../kit/florin.ts'
import {
  completion,
  END_USER,
  enrolPasskey,
  enrolTotp,
  factorsOf,
  newLoggedInCustomer,
  newScaCustomer,
  RIGHT,
  startSmsLogin,
} from '../../kit/sca/sca.ts'
import { CUSTOMERS, newAccount } from '../../kit/accounts/external-accounts.ts'
import { advance } from '../../kit/outside/connect-receiver.ts'
import { newWallet } from '../../kit/wallets/signing-wallets.ts'
import { newBusiness, nextNumber, type Prepare } from './situation.ts'
import { sampleFile } from './sample-files.ts'

const GERMAN = { region: 'DE', email: 'eva@example.com', phoneNumber: '+4930123456' }

const customerOf =
  (body: object): Prepare =>
  async ({ platform }) => ({ params: { customerId: (await createCustomer(platform, body)).id } })

/** A customer who was sent a code, or is to be sent one. */
const contact =
  (channel?: 'email' | 'phone'): Prepare =>
  async ({ unregulated: platform }) => {
    const { id: customerId } = await createCustomer(platform, GERMAN)
    if (channel)
      expectStatus(await platform.api.post(`/customers/${customerId}/verify-${channel}`), 204)
    return { platform, params: { customerId }, ...(channel && { body: { code: RIGHT } }) }
  }

const passportParts = async (fields: object) => [
  ...Object.entries({ ...fields, ...PASSPORT }),
  ['file', await sampleFile('passport.pdf', pdf())] as const,
]

async function newPaper(platform: TestPlatform): Promise<string> {
  return (await uploadPaper(platform, await createCustomer(platform))).id
}

/** A beneficiary of a customer under strong authentication, trusted or not, with a challenge where it is confirmed. */
const trust =
  (verb: 'trust' | 'untrust', isConfirmed: boolean): Prepare =>
  async ({ platform }) => {
    const { api } = platform
    const { customerId } = await newScaCustomer(platform)
    const { id } = await newAccount(api, {
      customerId,
      currency: 'USDC',
      ownershipType: 'THIRD_PARTY',
      accountInfo: { accountType: 'SOLANA_WALLET', address: newWallet().address },
      beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' },
    })
    const begin = async (asked: string) => {
      const answer = await api.post(
        `${CUSTOMERS}/${id}/${asked}` as '/customers/external-accounts/x/trust',
      )
      return { challengeId: text(expectStatus(answer, 200).scaChallenge?.id), code: RIGHT }
    }
    if (verb === 'untrust') {
      expectStatus(await api.post(`${CUSTOMERS}/${id}/trust/confirm`, await begin('trust')), 200)
    }
    return {
      params: { externalAccountId: id },
      ...(isConfirmed && { body: await begin(verb) }),
    }
  }

export const PEOPLE: Readonly<Record<string, Prepare>> = {
  createCustomer: async () => ({
    body: {
      customerType: 'INDIVIDUAL',
      platformCustomerId: `user-${nextNumber()}`,
      ...PERSON_DATA,
      email: 'maria@example.com',
    },
  }),
  getCustomerById: customerOf({ ...PERSON_DATA, email: 'maria@example.com' }),
  deleteCustomerById: customerOf({ fullName: 'Maria Lopez' }),
  uploadCustomersCsv: async () => {
    const csv = csvOf([individual({ platformCustomerId: `row-${nextNumber()}` })])
    const file = { bytes: Buffer.from(csv), type: 'text/csv', name: 'customers.csv' }
    return { parts: [['file', await sampleFile('customers.csv', file)]] }
  },
  sendCustomerEmailVerification: contact(),
  confirmCustomerEmailVerification: contact('email'),
  sendCustomerPhoneVerification: contact(),
  confirmCustomerPhoneVerification: contact('phone'),
  createBeneficialOwner: async ({ platform }) => ({
    body: ownerBody(await newBusiness(platform)),
  }),
  listBeneficialOwners: async ({ platform }) => {
    const customerId = await newBusiness(platform)
    await createOwner(platform, customerId)
    return { query: { customerId } }
  },
  uploadDocument: async ({ platform }) => {
    const { id } = await createCustomer(platform)
    return { parts: await passportParts({ documentHolder: id }) }
  },
  replaceDocument: async ({ platform }) => ({
    params: { documentId: await newPaper(platform) },
    parts: await passportParts({}),
  }),
  createVerification: async ({ platform }) => ({
    body: { customerId: await newBusiness(platform) },
  }),
  startScaFactorEnrollment: async ({ platform }) => ({
    query: { customerId: (await newLoggedInCustomer(platform)).customerId },
    body: { type: 'TOTP' },
  }),
  confirmScaFactorEnrollment: async ({ platform }) => {
    const sca = await newLoggedInCustomer(platform)
    const { secret } = expectStatus(await sca.post('/factors', { type: 'TOTP' }), 200)
    return { query: { customerId: sca.customerId }, body: { type: 'TOTP', secret, code: RIGHT } }
  },
  listScaFactors: async ({ platform }) => {
    const sca = await newScaCustomer(platform)
    await enrolTotp(sca)
    return { query: { customerId: sca.customerId } }
  },
  deleteScaFactor: async ({ platform }) => {
    const sca = await newScaCustomer(platform)
    await enrolPasskey(sca)
    const passkey = (await factorsOf(sca)).find(({ factor }) => factor === 'PASSKEY')
    return {
      query: { customerId: sca.customerId },
      params: { credentialId: text(passkey?.credentialId) },
    }
  },
  startScaLogin: async ({ platform }) => ({
    query: { customerId: (await newScaCustomer(platform)).customerId },
    body: { factor: 'SMS_OTP' },
  }),
  completeScaLogin: async ({ platform }) => {
    const sca = await newScaCustomer(platform)
    return {
      query: { customerId: sca.customerId },
      body: completion(await startSmsLogin(sca)),
    }
  },
  recordSecurityEvent: async ({ platform }) => ({
    query: { customerId: (await newScaCustomer(platform)).customerId },
    body: { eventType: 'FAILED_LOGIN_ATTEMPT', endUserIpAddress: END_USER },
  }),
  startTwoFactorReset: async ({ platform }) => {
    const sca = await newScaCustomer(platform)
    await enrolTotp(sca)
    return { query: { customerId: sca.customerId }, body: { factor: 'TOTP' } }
  },
  getTwoFactorResetStatus: async ({ platform }) => startedReset(platform),
  completeTwoFactorReset: async ({ platform }) => {
    const situation = await startedReset(platform)
    await advance(platform, 10)
    return { ...situation, body: { mobile: { countryCode: '+49', number: '15112345679' } } }
  },
  startBeneficiaryTrust: trust('trust', false),
  confirmBeneficiaryTrust: trust('trust', true),
  startBeneficiaryUntrust: trust('untrust', false),
  confirmBeneficiaryUntrust: trust('untrust', true),
}

async function startedReset(platform: TestPlatform) {
  const sca = await newScaCustomer(platform)
  const { resetId } = expectStatus(await sca.post('/factors/reset', { factor: 'SMS_OTP' }), 201)
  return { query: { customerId: sca.customerId }, params: { resetId } }
}
