/** The values that this feature seals at rest, each under a separate key and bound to its row (CORE-90). */
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'

type Secret = Readonly<{
  seal(keyring: Keyring, plaintext: Buffer | string, context: string): Buffer
  open(keyring: Keyring, sealed: Buffer, context: string): Buffer
}>

const secret = (purpose: string): Secret => ({
  seal: (keyring, plaintext, context) => seal(keyring, purpose, plaintext, context),
  open: (keyring, sealed, context) => unseal(keyring, purpose, sealed, context),
})

/** Context: the account. */
export const walletSeed = secret('wallet-seed')
/** Context: the environment. */
export const signerScalar = secret('wallet-signer')
/** Context: the OTP. */
export const otpTarget = secret('wallet-otp-target')
/** Context: the signature request. */
export const requestBody = secret('wallet-request-body')
/** Context: the signature request. */
export const requestReply = secret('wallet-request-reply')
