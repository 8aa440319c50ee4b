/** What the operations of embedded wallets need: logged-in devices, and what they sign. */
import { expectStatus } from '../../kit/api.ts'
import type { TestPlatform } from '../../kit/florin.ts'
import { newDeviceKey, type DeviceKey } from '../../kit/wallets/client.ts'
import {
  delegate,
  logIn,
  newFundedCard,
  sealCode,
  signBoth,
  walletOn,
  type TestWallet,
} from '../../kit/wallets/wallets.ts'
import type { Prepare, SampleSetting, Situation } from './situation.ts'

const newWallet = (platform: TestPlatform): Promise<TestWallet> =>
  walletOn(platform, { currencies: ['USDB'], fullName: 'Ann Able', phoneNumber: '+14155550132' })

type LoggedIn = Readonly<{ wallet: TestWallet; device: DeviceKey; sessionId: string }>

/** A request about a wallet to which a device is logged in. */
const about =
  (situationOf: (given: LoggedIn) => Situation | Promise<Situation>): Prepare =>
  async ({ platform }: SampleSetting) => {
    const wallet = await newWallet(platform)
    const { device, session } = await logIn(wallet)
    return situationOf({ wallet, device, sessionId: session.id })
  }

async function addSmsCredential({ wallet, device }: LoggedIn): Promise<string> {
  const body = { type: 'SMS_OTP', accountId: wallet.accountId }
  const add = (headers = {}) => wallet.api.post('/auth/credentials', body, { headers })
  return expectStatus(await signBoth(add, device), 201).id
}

const ofAccount = about(({ wallet: { accountId } }) => ({ query: { accountId } }))

export const WALLETS: Readonly<Record<string, Prepare>> = {
  createAuthCredential: about(({ wallet, device }) => ({
    body: { type: 'SMS_OTP', accountId: wallet.accountId },
    device,
  })),
  listAuthCredentials: ofAccount,
  listAuthSessions: ofAccount,
  revokeAuthCredential: about(async (given) => ({
    params: { credentialId: await addSmsCredential(given) },
    device: given.device,
  })),
  challengeAuthCredential: about(({ wallet }) => ({
    params: { credentialId: wallet.emailCredentialId },
  })),
  verifyAuthCredential: async ({ platform }) => {
    const wallet = await newWallet(platform)
    const device = newDeviceKey()
    return {
      params: { credentialId: wallet.emailCredentialId },
      body: { type: 'EMAIL_OTP', encryptedOtpBundle: await sealCode(wallet, { device }) },
      device,
    }
  },
  refreshAuthSession: about(({ device, sessionId }) => ({
    params: { sessionId },
    body: { clientPublicKey: newDeviceKey().publicKey },
    device,
  })),
  revokeAuthSession: about(({ device, sessionId }) => ({ params: { sessionId }, device })),
  updateInternalAccount: about(({ wallet, device }) => ({
    params: { accountId: wallet.accountId },
    body: { privateEnabled: true },
    device,
  })),
  exportInternalAccount: about(({ wallet, device }) => ({
    params: { accountId: wallet.accountId },
    body: { clientPublicKey: newDeviceKey().publicKeyUncompressed },
    device,
  })),
  createDelegatedKey: about(async ({ wallet, device }) => ({
    body: {
      cardId: await newFundedCard(wallet),
      internalAccountId: wallet.accountId,
      nickname: 'Card payments',
    },
    device,
  })),
  listDelegatedKeys: async ({ platform }) => {
    const wallet = await newWallet(platform)
    await delegate(wallet)
    return { query: { accountId: wallet.accountId } }
  },
}
