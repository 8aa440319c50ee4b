// data table
import type { FieldDocs } from './field-doc.ts'

/** Embedded wallets and strong customer authentication: credentials, sessions, keys, factors and proofs. */
export const WALLET_FIELDS: FieldDocs = {
  'AuthMethod.type': ['Kind of credential.', 'PASSKEY'],
  'AuthMethodResponse.type': ['Kind of credential.', 'PASSKEY'],
  'PasskeyAuthChallenge.type': ['Kind of credential.', 'PASSKEY'],
  'AuthSession.type': ['Kind of credential that opened the session.', 'PASSKEY'],
  'AuthSignedRequestChallenge.type': ['Kind of credential that the request is about.', 'PASSKEY'],
  'AuthMethod.accountId': ['Wallet that the credential opens, `InternalAccount:<uuid>`.'],
  'AuthMethodResponse.accountId': ['Wallet that the credential opens, `InternalAccount:<uuid>`.'],
  'PasskeyAuthChallenge.accountId': ['Wallet that the credential opens, `InternalAccount:<uuid>`.'],
  'AuthSession.accountId': ['Wallet that the session may sign for, `InternalAccount:<uuid>`.'],
  nickname: ['Name that tells it from others of its kind.', 'Ada’s phone', 'Phone'],
  credentialId: ['WebAuthn id of the passkey, base64url.', 'KEDetxZcUfinhVi6Za5nZQ'],
  'deleteScaFactor.credentialId': [
    'Id of the passkey, as the list of factors shows it.',
    'KEDetxZcUfinhVi6Za5nZQ',
  ],
  attestation: ['What the authenticator answered when the passkey was made.'],
  attestationObject: [
    'Attestation of the authenticator, base64url.',
    'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVg',
  ],
  assertion: ['What the authenticator answered to the challenge.'],
  authenticatorData: [
    'Authenticator data, base64url.',
    'SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAAAQ',
  ],
  clientDataJson: ['Client data of the browser, base64url.', 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'],
  userHandle: [
    'User handle that the authenticator returned, base64url. Not checked.',
    'dXNlci00NzEx',
  ],
  transports: ['How the authenticator is reached.', ['internal', 'hybrid']],
  challenge: [
    'Challenge whose characters the authenticator signs, as they are: encode the text, do not decode it.',
    '9f3c6f0f5d5b4c7f8a0b1c2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061',
  ],
  'PasskeyCredentialCreateRequest.challenge': [
    'Challenge of your own, whose bytes the authenticator signed; a new one each time.',
    'Yk3mT0pQ2rXc5vBn7LsWd1',
  ],
  oidcToken: ['Identity token of the OIDC issuer.', 'eyJhbGciOiJSUzI1NiJ9…'],
  clientPublicKey: [
    'P-256 public key in hex. Compressed: this key signs from then on. Uncompressed: the service makes a key and seals it to this one.',
    '02f739f8c77b32f4d5f13265861febd76e7a9c61a1140d296b8c16302508870316',
    '04f739f8c77b32f4d5f13265861febd76e7a9c61a1140d296b8c16302508870316c24970ad7811ccd9da7f1b88f202bebac770663ef58ba68dbb2f8ab0ff7b8a2d',
  ],
  'InternalAccountExportRequest.clientPublicKey': [
    'Uncompressed P-256 public key in hex, to which the mnemonic is sealed.',
    '04f739f8c77b32f4d5f13265861febd76e7a9c61a1140d296b8c16302508870316c24970ad7811ccd9da7f1b88f202bebac770663ef58ba68dbb2f8ab0ff7b8a2d',
  ],
  encryptedOtpBundle: [
    'Code and public key of the device, sealed to the target key of the challenge: JSON as text.',
    '{"encappedPublic":"04…","ciphertext":"…"}',
  ],
  encryptedSessionSigningKey: [
    'Session key, sealed to `clientPublicKey`. Only where that was uncompressed; shown once.',
    'w99a5xV6A75TfoAUkZn869fVyDYvgVsKrawMALZX',
  ],
  encryptedWalletCredentials: [
    'Mnemonic of the wallet, sealed to `clientPublicKey`.',
    '{"version":"v1.0.0","data":"…"}',
  ],
  requestId: [
    'Id of the request that waits for a signature; send it back as the header `Request-Id`.',
    'Request:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  payloadToSign: [
    'Text that the session key signs, byte for byte.',
    '{"type":"ACTIVITY_TYPE_SIGN_RAW_PAYLOAD_V2"}',
  ],
  'WalletSigner.publicKey': [
    'Key that signs bundles and tokens: P-256, uncompressed, in hex. Clients pin it.',
    '04f739f8c77b32f4d5f13265861febd76e7a9c61a1140d296b8c16302508870316c24970ad7811ccd9da7f1b88f202bebac770663ef58ba68dbb2f8ab0ff7b8a2d',
  ],
  'DelegatedKey.publicKey': [
    'Public key that may sign, compressed, in hex.',
    '02f739f8c77b32f4d5f13265861febd76e7a9c61a1140d296b8c16302508870316',
  ],
  'DelegatedKey.accountId': ['Wallet that the key may sign for, `InternalAccount:<uuid>`.'],
  'DelegatedKey.status': [
    '`PENDING` until it is signed; `ACTIVE`: the card can spend; `REVOKED` is final.',
    'ACTIVE',
  ],
  fundingSourceId: [
    'Id of the link between card and wallet, `CardFundingSource:<uuid>`.',
    'CardFundingSource:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  'query.fundingSourceId': [
    'Only the key of this link between card and wallet, `CardFundingSource:<uuid>`.',
  ],

  factor: [
    'Second factor: a code by SMS, a code of an authenticator app, or a passkey.',
    'SMS_OTP',
  ],
  'PasskeyEnrollmentConfirmResponse.factor': ['The passkey that can be used from now on.'],
  factors: ['Factors that the customer can use now.'],
  availableFactors: ['Factors with which the customer can prove it.', ['SMS_OTP', 'PASSKEY']],
  scaFactor: [
    'Factor with which the customer will prove the payment, where that is asked.',
    'SMS_OTP',
  ],
  purpose: ['What the proof is for: a payment, or that a payee is trusted.', 'PAYOUT'],
  'ScaChallenge.id': ['Id of the challenge.', 'ScaChallenge:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
  challengeId: [
    'Id of the challenge that is answered, `ScaChallenge:<uuid>`.',
    'ScaChallenge:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  passkeyAssertion: ['Answer of the authenticator, as the browser gives it in JSON.'],
  passkeyAssertionOptions: ['Options for `navigator.credentials.get`, in JSON.'],
  passkeyOptions: ['Options for `navigator.credentials.get`, in JSON.'],
  options: ['Options for `navigator.credentials.create`, in JSON.'],
  credential: ['Answer of `navigator.credentials.create`, in JSON.'],
  passkeyAllowedOrigins: [
    'Origins of pages on which the passkey may be used.',
    ['https://app.platform.example'],
  ],
  allowedOrigins: [
    'Origins of pages on which the passkey may be used.',
    ['https://app.platform.example'],
  ],
  relyingPartyId: ['Domain that the passkey belongs to.', 'platform.example'],
  origin: ['Origin of the page on which the passkey was used.', 'https://app.platform.example'],
  endUserIpAddress: ['Address of the end user, IPv4 or IPv6.', '203.0.113.7'],
  sessionExpiresAt: ['Until when the login holds, UTC.', '2026-09-10T09:26:53.589Z'],
  'ScaLoginComplete.status': ['The login is complete.', 'SUCCESS'],
  type: ['Kind; it decides which other fields there are.'],
  secret: [
    'Secret of the authenticator app, 40 hexadecimal digits. Shown once.',
    '3132333435363738393031323334353637383930',
  ],
  'TotpEnrollmentConfirmRequest.secret': [
    'Secret that the start of the enrolment answered.',
    '3132333435363738393031323334353637383930',
  ],
  secretBase32Encoded: [
    'The same secret in base 32, for typing in.',
    'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  ],
  totpUri: [
    'The same secret as an `otpauth` address, for a QR code.',
    'otpauth://totp/Acme:ada@example.com?secret=GEZDGNBVGY3TQOJQ&issuer=Acme',
  ],
  recoveryCodes: [
    'Codes that each serve once in place of the app. Shown once.',
    ['7QM4-XTPK', '2RBK-9WZN'],
  ],
  resetId: ['Id of the reset, `ScaReset:<uuid>`.', 'ScaReset:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57'],
  livenessAccessToken: [
    'Token for the SDK of the identity provider, in place of the page.',
    '_act-jwt-eyJhbGciOi',
  ],
  'TwoFactorResetStatus.status': [
    '`INITIATED`: the customer has to pass the page; `PENDING_REVIEW`: an operator decides; `LIVENESS_PASSED`: complete it now; `COMPLETED`, `REJECTED` and `EXPIRED` are final.',
    'LIVENESS_PASSED',
  ],
  enrollmentStatus: ['Whether a factor has taken the place of the one that was reset.', 'PENDING'],
  mobile: ['New phone number; only where the factor is `SMS_OTP`.'],
  eventType: ['What happened at the platform.', 'FAILED_LOGIN_ATTEMPT'],
  suspended: ['Whether logins of the customer are suspended, after nine that failed.', false],
  lockedUntil: [
    'Until when logins of the customer are refused, UTC. Absent where they are not.',
    '2026-03-14T09:41:53.589Z',
  ],
  failedAttempts: ['Failed logins in a row.', 2],
  trusted: ['Whether payments to the account need no second factor now.', true],

  otpEncryptionTargetBundle: [
    'Signed bundle with the key to which the code is to be sealed.',
    '{"version":"v1.0.0","data":"…","dataSignature":"…"}',
  ],
  'header.Service-Wallet-Signature': [
    'Signature of `payloadToSign` by the session key: a stamp, base64url.',
    'eyJwdWJsaWNLZXkiOiIwMmY3MzkifQ',
  ],
  'header.Request-Id': [
    '`requestId` of the answer that asked for the signature.',
    'Request:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
}
