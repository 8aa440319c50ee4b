/** One body per account type that passes every check, strict ones included: the least that is enough. */

type Body = Readonly<{ currency: string; accountInfo: Readonly<Record<string, unknown>> }>

const ADDRESS = {
  line1: '1 Main Street',
  city: 'Springfield',
  postalCode: '12345',
  country: 'US',
}
const JANE = { beneficiaryType: 'INDIVIDUAL', fullName: 'Jane Doe' }
const ACME = { beneficiaryType: 'BUSINESS', legalName: 'Acme Ltd', address: ADDRESS }

type Row = readonly [
  accountType: string,
  currency: string,
  fields: Readonly<Record<string, unknown>>,
  beneficiary?: Readonly<Record<string, unknown>>,
]

const mobile = (currency: string, phoneNumber: string, provider: string): Row => [
  `${currency}_ACCOUNT`,
  currency,
  { phoneNumber, provider },
  JANE,
]

const EVM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

const ROWS: readonly Row[] = [
  [
    'USD_ACCOUNT',
    'USD',
    { accountNumber: '123456789', routingNumber: '021000021' },
    { ...JANE, address: ADDRESS },
  ],
  [
    'EUR_ACCOUNT',
    'EUR',
    { iban: 'DE89370400440532013000' },
    { ...JANE, countryOfResidence: 'DE', address: ADDRESS },
  ],
  ['DKK_ACCOUNT', 'DKK', { iban: 'DK5000400440116243' }, JANE],
  [
    'GBP_ACCOUNT',
    'GBP',
    { sortCode: '601613', accountNumber: '31926819' },
    { ...JANE, address: ADDRESS },
  ],
  ['MXN_ACCOUNT', 'MXN', { clabeNumber: '032180000118359719' }, JANE],
  ['BRL_ACCOUNT', 'BRL', { pixKey: '52998224725', pixKeyType: 'CPF', taxId: '52998224725' }, JANE],
  ['INR_ACCOUNT', 'INR', { vpa: 'asha@okbank' }, JANE],
  ['CAD_ACCOUNT', 'CAD', { bankCode: '003', branchCode: '00102', accountNumber: '1234567' }, JANE],
  ['NGN_ACCOUNT', 'NGN', { accountNumber: '0123456789', bankName: 'First Bank of Nigeria' }, JANE],
  ['ZAR_ACCOUNT', 'ZAR', { accountNumber: '123456789', bankName: 'Standard Bank' }, JANE],
  ['PHP_ACCOUNT', 'PHP', { bankName: 'BDO Unibank', accountNumber: '12345678' }, JANE],
  [
    'HKD_ACCOUNT',
    'HKD',
    { bankName: 'HSBC', accountNumber: '004-123456-838', swiftCode: 'HSBCHKHHHKH' },
    JANE,
  ],
  [
    'MYR_ACCOUNT',
    'MYR',
    { bankName: 'Maybank', accountNumber: '114012345678', swiftCode: 'MBBEMYKL' },
    JANE,
  ],
  [
    'THB_ACCOUNT',
    'THB',
    { bankName: 'Bangkok Bank', accountNumber: '1234567890', swiftCode: 'BKKBTHBK' },
    JANE,
  ],
  [
    'VND_ACCOUNT',
    'VND',
    { bankName: 'Vietcombank', accountNumber: '0011001234567', swiftCode: 'BFTVVNVX' },
    JANE,
  ],
  ['SGD_ACCOUNT', 'SGD', { accountNumber: '0123456789', swiftCode: 'DBSSSGSG' }, JANE],
  [
    'IDR_ACCOUNT',
    'IDR',
    {
      bankName: 'Bank Central Asia',
      accountNumber: '1234567890',
      swiftCode: 'CENAIDJA',
      phoneNumber: '+62812345678',
    },
    JANE,
  ],
  ['AED_ACCOUNT', 'AED', { iban: 'AE070331234567890123456' }, { ...JANE, address: ADDRESS }],
  [
    'GTQ_ACCOUNT',
    'GTQ',
    { accountNumber: '0123456', bankAccountType: 'SAVINGS', bankName: 'Banco Industrial' },
    { ...JANE, countryOfResidence: 'GT', phoneNumber: '+50222222222' },
  ],
  [
    'JMD_ACCOUNT',
    'JMD',
    {
      accountNumber: '0123456',
      branchCode: '00001',
      bankAccountType: 'CHECKING',
      bankName: 'JN Bank',
    },
    { ...JANE, phoneNumber: '+18765550100', address: ADDRESS },
  ],
  [
    'SWIFT_ACCOUNT',
    'USD',
    {
      country: 'GB',
      swiftCode: 'NWBKGB2L',
      bankName: 'National Westminster Bank',
      iban: 'GB29NWBK60161331926819',
    },
    JANE,
  ],
  mobile('KES', '+254712345678', 'M-PESA'),
  mobile('TZS', '+255712345678', 'Vodacom'),
  mobile('ZMW', '+260971234567', 'MTN'),
  mobile('RWF', '+250781234567', 'Airtel'),
  mobile('MWK', '+265991234567', 'TNM'),
  mobile('UGX', '+256771234567', 'MTN'),
  mobile('BWP', '+26771234567', 'Orange'),
  ['XOF_ACCOUNT', 'XOF', { phoneNumber: '+221771234567', provider: 'Wave', region: 'SN' }, JANE],
  ['XAF_ACCOUNT', 'XAF', { phoneNumber: '+237671234567', provider: 'MTN', region: 'CM' }, JANE],
  ['HTG_ACCOUNT', 'HTG', { phoneNumber: '+50934123456' }, JANE],
  ['BDT_ACCOUNT', 'BDT', { accountNumber: '1511234567', bankName: 'BRAC Bank' }, JANE],
  ['GHS_ACCOUNT', 'GHS', { phoneNumber: '+233241234567', bankName: 'MTN Mobile Money' }, JANE],
  ['PKR_ACCOUNT', 'PKR', { accountNumber: '0123456702', bankName: 'Habib Bank' }, JANE],
  [
    'EGP_ACCOUNT',
    'EGP',
    { iban: 'EG380019000500000000263180002', bankName: 'National Bank of Egypt' },
    JANE,
  ],
  [
    'COP_ACCOUNT',
    'COP',
    { accountNumber: '12345678901', bankAccountType: 'SAVINGS', bankName: 'Bancolombia' },
    { ...JANE, documentType: 'CC', documentNumber: '1234567890' },
  ],
  [
    'SLV_ACCOUNT',
    'USD',
    { bankName: 'Banco Agrícola', accountNumber: '0123456789', bankAccountType: 'SAVINGS' },
    JANE,
  ],
  ['CNY_ACCOUNT', 'CNY', { accountNumber: '6222021234567890', bankName: 'Bank of China' }, ACME],
  ['BASE_WALLET', 'USDC', { address: EVM }],
  ['ETHEREUM_WALLET', 'USDC', { address: EVM }],
  ['POLYGON_WALLET', 'USDC', { address: EVM }],
  ['PLASMA_WALLET', 'USDT', { address: EVM }],
  ['SOLANA_WALLET', 'USDC', { address: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }],
  [
    'SPARK_WALLET',
    'BTC',
    { address: 'spark1pgss9z2gpzrnhztwy8ffs44x67angma38sqewwddhxlsk65t0c5d5576quly2j' },
  ],
  ['TRON_WALLET', 'USDT', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }],
  ['LIGHTNING', 'BTC', { lightningAddress: 'satoshi@bitcoin.org' }],
]

export const EXTERNAL_ACCOUNT_BODIES: ReadonlyMap<string, Body> = new Map(
  ROWS.map(([accountType, currency, fields, beneficiary]) => [
    accountType,
    { currency, accountInfo: { accountType, ...fields, ...(beneficiary && { beneficiary }) } },
  ]),
)

/** The body of a type with fields of `accountInfo` replaced; `undefined` takes a field out. */
export function externalAccountBody(
  accountType: string,
  changes: Readonly<Record<string, unknown>> = {},
): { currency: string; accountInfo: Record<string, unknown> } {
  const body = EXTERNAL_ACCOUNT_BODIES.get(accountType)
  if (!body) throw new Error(`There is no body for ${accountType}.`)
  return { currency: body.currency, accountInfo: { ...body.accountInfo, ...changes } }
}
