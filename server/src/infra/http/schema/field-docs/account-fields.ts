// data table
import type { FieldDocs } from './field-doc.ts'

const EVM = [
  'Address of the wallet, `0x` and 40 hexadecimal digits.',
  '0x52908400098527886E0F7030069857D2E4169EE7',
] as const
const SOLANA = [
  'Address of the wallet, base 58.',
  '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV',
] as const
const SPARK = [
  'Spark address of the wallet, bech32m.',
  'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
] as const
const TRON = [
  'Address of the wallet, `T` and 33 characters in base 58.',
  'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
] as const

/** Internal and external accounts, how they are paid into, payees and proofs of ownership. */
export const ACCOUNT_FIELDS: FieldDocs = {
  accountId: [
    'Id of the account, `InternalAccount:<uuid>` or `ExternalAccount:<uuid>`.',
    'InternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
    'ExternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  'query.accountId': ['Only those of this internal account, `InternalAccount:<uuid>`.'],
  'InternalAccount.type': [
    '`INTERNAL_FIAT` holds money, `INTERNAL_CRYPTO` coins of the platform’s custody, `EMBEDDED_WALLET` coins that only signatures of its owner move.',
    'INTERNAL_FIAT',
  ],
  fundingPaymentInstructions: ['Ways to pay into the account; any one of them will do.'],
  paymentInstructions: [
    'Ways to send the money of this payment; follow one of them before it expires.',
  ],
  instructionsNotes: ['What the payer has to do.', 'Include the reference in the transfer.'],
  isPlatformAccount: ['Whether the account that is paid into is the platform’s own.', false],
  accountOrWalletInfo: ['Where to send the money; `accountType` decides the fields.'],
  privateEnabled: [
    'Privacy setting of the wallet, false at first; its owner signs each change. Embedded wallets only.',
    true,
  ],
  balance: ['Money that can be spent now.'],
  totalBalance: ['Money that can be spent now, and what is held for payments under way.'],

  externalAccountId: [
    'Id of the external account, `ExternalAccount:<uuid>`.',
    'ExternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  platformAccountId: ['Your own id of the account.', 'payee-4711'],
  ownershipType: [
    '`FIRST_PARTY`: an account of the customer itself; `THIRD_PARTY`: of another payee.',
    'THIRD_PARTY',
  ],
  defaultUmaDepositAccount: [
    'Whether incoming UMA payments of the customer go to this account.',
    false,
  ],
  beneficiaryVerificationStatus: [
    'Whether the bank of the account confirmed the name of its holder. `UNSUPPORTED`: the rail has no such check; `CHECKED_BY_RECEIVING_FI`: the bank checks when it is paid.',
    'MATCHED',
  ],
  beneficiaryVerifiedData: ['What the bank of the account reported about its holder.'],
  'InternalAccount.status': [
    'Only an `ACTIVE` account sends or receives; `FROZEN`: an operator stopped it; `CLOSED` and `FAILED` are final.',
    'ACTIVE',
  ],
  'ExternalAccount.status': [
    'Only an `ACTIVE` account can be paid. `PENDING_OWNERSHIP_VERIFICATION`: the holder has to prove that it is its own; `UNDER_REVIEW`: an operator decides; `INACTIVE`: no longer usable.',
    'ACTIVE',
  ],
  accountInfo: ['Details of the account; `accountType` decides the fields.'],
  accountType: ['Kind of account; it decides which other fields there are.'],
  beneficiary: ['Who holds the account and is paid; `beneficiaryType` decides the fields.'],
  beneficiaryType: [
    'A person or a company; it decides which other fields there are.',
    'INDIVIDUAL',
    'BUSINESS',
  ],
  countryOfResidence: ['Country in which the payee lives, ISO 3166-1 alpha-2.', 'GB'],
  accountHolderName: ['Name under which the account is held.', 'Florin Inc. FBO Ada Lovelace'],
  'RealtimeFundingTransactionSource.accountHolderName': [
    'Name of the payer at its bank.',
    'Ada Lovelace',
  ],
  accountNumber: [
    'Number of the account at the bank, in the form of the country.',
    ...['123456789012', '12345678', '0123456789', '2850590940090418135201'],
  ],
  iban: [
    'International bank account number, without blanks.',
    ...['DE89370400440532013000', 'AE070331234567890123456', 'DK5000400440116243'],
    ...['EG380019000500000000263180002', 'PK36SCBL0000001123456702'],
  ],
  'AedExternalAccountInfo.iban': [
    'International bank account number, without blanks.',
    'AE070331234567890123456',
  ],
  'DkkExternalAccountInfo.iban': [
    'International bank account number, without blanks.',
    'DK5000400440116243',
  ],
  'EgpExternalAccountInfo.iban': [
    'International bank account number, without blanks.',
    'EG380019000500000000263180002',
  ],
  'PkrExternalAccountInfo.iban': [
    'International bank account number, without blanks.',
    'PK36SCBL0000001123456702',
  ],
  swiftCode: ['BIC of the bank, 8 or 11 characters (ISO 9362).', 'DEUTDEFF'],
  routingNumber: ['ABA routing number of the bank, 9 digits with a check digit.', '021000021'],
  intermediaryRoutingNumber: [
    'ABA routing number of the bank in between, for wires that need one.',
    '026009593',
  ],
  intermediaryBankName: ['Name of the bank in between.', 'Correspondent Bank'],
  fiToFiInformation: [
    'Message from bank to bank that a wire carries.',
    '/ACC/ further credit to 4711',
  ],
  sortCode: ['Sort code of the bank, 6 digits without dashes.', '200000'],
  clabeNumber: ['CLABE of the account, 18 digits with a check digit.', '012180001234567897'],
  ifsc: ['IFSC of the bank branch: four letters, a zero, six characters.', 'HDFC0001234'],
  vpa: ['UPI address of the payee.', 'ada@okbank'],
  pixKey: ['PIX key of the payee, in the form of `pixKeyType`.', 'ada@example.com'],
  pixKeyType: [
    'Form of the PIX key: a CPF or CNPJ number, an e-mail address, a phone number or a random key.',
    'EMAIL',
  ],
  bankCode: ['Number of the institution, 3 digits.', '001'],
  branchCode: ['Number of the branch, 5 digits.', '12345'],
  bankName: [
    'Name of the bank; where `GET /discoveries` lists the bank, exactly as it stands there.',
    'Example Bank',
  ],
  'RealtimeFundingTransactionSource.bankName': ['Bank from which the money came.', 'Example Bank'],
  'Discovery.bankName': ['What `accountInfo.bankName` must say, exactly.', 'EXAMPLE_BANK'],
  'Discovery.displayName': ['Name of the institution as people know it.', 'Example Bank'],
  bankAddress: ['Postal address of the bank, on one line.', '1 Main Street, New York, NY 10001'],
  bankAccountType: ['Checking or savings account.', 'CHECKING'],
  accountCategory: ['Checking or savings account.', 'CHECKING'],
  provider: ['Operator of the mobile money account.', 'M-PESA'],
  'Stablecoin.provider': ['Provider that issues the coin.'],
  'StablecoinOperation.provider': ['Provider that issues the coin.'],
  'StablecoinProviderAccount.provider': ['Provider at which the account is.'],
  'StablecoinProviderAccountLinkRequest.provider': ['Provider at which the account is.'],
  'query.provider': ['Only those of this provider.'],
  'PaymentXafAccountInfo.region': ['Country of the account, ISO 3166-1 alpha-2.', 'CM'],
  'XafExternalAccountCreateInfo.region': ['Country of the account, ISO 3166-1 alpha-2.', 'CM'],
  'XafExternalAccountInfo.region': ['Country of the account, ISO 3166-1 alpha-2.', 'CM'],
  'PaymentXofAccountInfo.region': ['Country of the account, ISO 3166-1 alpha-2.', 'CI'],
  'XofExternalAccountCreateInfo.region': ['Country of the account, ISO 3166-1 alpha-2.', 'CI'],
  'XofExternalAccountInfo.region': ['Country of the account, ISO 3166-1 alpha-2.', 'CI'],
  rail: ['Network over which the money moves.', 'NEFT', 'WIRE'],
  paymentRails: ['Networks over which the account can be paid; the first is the default.'],
  reference: [
    'Text that the payer has to put into the transfer, so that the money is recognised.',
    'QK7M4XTP2RB',
  ],
  'Refund.reference': ['Reference of the refund at the bank or on the chain.', 'RF0198C5F27A3E'],
  'ReconciliationInstructions.reference': [
    'Reference by which the payment is found on a bank statement.',
    'QK7M4XTP2RB',
  ],
  qrCode: [
    'Content of a PIX QR code, to show as a code or to copy.',
    '00020126360014BR.GOV.BCB.PIX0114+5511999999999',
  ],
  paymentUrl: [
    'Page on which the payer approves the transfer at its bank.',
    'https://pay.example/pse/0198c5f2',
  ],
  vaspName: [
    'Provider that keeps the wallet, exactly as `GET /vasps` lists it. Absent: the holder keeps the keys.',
    'Example Exchange',
  ],
  'Vasp.vaspName': ['What `accountInfo.vaspName` must say, exactly.', 'Example Exchange'],
  'Vasp.url': ['Site of the provider.', 'https://exchange.example'],
  assetType: ['Coin that has to be sent.', 'USDC', 'USDT', 'USDB'],
  'PaymentSparkWalletInfo.assetType': ['Coin that has to be sent.', 'USDB'],
  invoice: [
    'Lightning invoice (BOLT 11) to be paid, once.',
    'lnbc25u1p3xnhl2pp5jptserfk3zk4qy42tlucycrfwxhydvlemu9pqr93tuzlv9cc7g3s',
  ],
  bolt12: [
    'Lightning offer (BOLT 12), which can be paid many times.',
    'lno1qgsqvgnwgcg35z6ee2h3yczraddm72xrfua9uve2rlrm9deu7xyfzrc',
  ],
  lightningAddress: ['Lightning address, `user@domain`.', 'ada@wallet.example'],
  network: ['Blockchain on which it is, or over which it moves.', 'SPARK', 'BITCOIN', 'ETHEREUM'],
  cryptoNetwork: ['Network over which the coin moves.', 'ETHEREUM'],
  onChainTransaction: ['Transaction on the blockchain. Absent until there is one.'],
  transactionHash: [
    'Hash of the transaction on its blockchain.',
    '0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
  ],
  'OwnershipChallengeRequest.method': [
    'How ownership is proven: by a signature of the wallet, or by its holder before a camera.',
    'WALLET_SIGNATURE',
  ],
  'WalletSignatureChallenge.method': ['Proof by a signature of the wallet.'],
  'LivenessChallenge.method': ['Proof by the holder before a camera.'],
  'LivenessChallenge.token': [
    'Token for the SDK of the identity provider, in place of the page.',
    '_act-jwt-eyJhbGciOi',
  ],
  verificationLink: [
    'Page on which the customer shows that it is a living person.',
    'https://pay.example/liveness/0198c5f2',
  ],
  messageToSign: [
    'Message that the wallet signs, byte for byte.',
    'I own this wallet. Nonce 0198c5f2',
  ],
  signature: [
    'Signature of `messageToSign` by the key of the wallet, in the form of its network.',
    '0x4f2a…',
  ],
  'PasskeyAssertion.signature': ['Signature of the authenticator, base64url.', 'MEUCIQDx2h0S'],
  domain: ['Domain of UMA addresses of the provider.', 'wallet.example'],
  lei: ['Legal entity identifier of the provider, ISO 17442.', '5493001KJTIIGC8Y1R12'],
  destinationAddress: [
    'Address on that network to which the coins go.',
    '0x52908400098527886E0F7030069857D2E4169EE7',
  ],
  'EstimateCryptoWithdrawalFeeRequest.internalAccountId': [
    'Internal account that the coins leave.',
  ],
  signatureScheme: ['How the signature was made.'],

  'ExternalAccount.id': [
    'Id of the external account, `ExternalAccount:<uuid>`.',
    'ExternalAccount:0198c5f2-7a3e-7c41-9b60-3f2d1e8a4b57',
  ],
  'BaseWalletExternalAccountCreateInfo.address': EVM,
  'BaseWalletExternalAccountInfo.address': EVM,
  'PaymentBaseWalletInfo.address': EVM,
  'EthereumWalletExternalAccountCreateInfo.address': EVM,
  'EthereumWalletExternalAccountInfo.address': EVM,
  'PaymentEthereumWalletInfo.address': EVM,
  'PlasmaWalletExternalAccountCreateInfo.address': EVM,
  'PlasmaWalletExternalAccountInfo.address': EVM,
  'PaymentPlasmaWalletInfo.address': EVM,
  'PolygonWalletExternalAccountCreateInfo.address': EVM,
  'PolygonWalletExternalAccountInfo.address': EVM,
  'PaymentPolygonWalletInfo.address': EVM,
  'SolanaWalletExternalAccountCreateInfo.address': SOLANA,
  'SolanaWalletExternalAccountInfo.address': SOLANA,
  'PaymentSolanaWalletInfo.address': SOLANA,
  'SparkWalletExternalAccountCreateInfo.address': SPARK,
  'SparkWalletExternalAccountInfo.address': SPARK,
  'PaymentSparkWalletInfo.address': SPARK,
  'TronWalletExternalAccountCreateInfo.address': TRON,
  'TronWalletExternalAccountInfo.address': TRON,
  'PaymentTronWalletInfo.address': TRON,
  'PaymentBitcoinDepositAddressInfo.address': [
    'Bitcoin address.',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  ],
  'EstimateCryptoWithdrawalFeeRequest.currency': ['Coin that is withdrawn.', 'USDC'],
  'EstimateCryptoWithdrawalFeeRequest.amount': [
    'What leaves the account, fees included, in the smallest unit of the coin.',
    10000000,
  ],
  networkFee: ['Fee of the network, in the smallest unit of `networkFeeAsset`.', 5000],
  networkFeeAsset: ['Asset in which the network takes its fee.', 'SOL'],
  applicationFee: ['Fee of the service beside it, in the smallest unit of the coin.', 100000],
  totalFee: ['Both fees, in the smallest unit of the coin.', 180000],
  netAmount: ['What arrives, in the smallest unit of the coin.', 9820000],
}
