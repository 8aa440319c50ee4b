// data table
/**
 * The directory of institutions (DISC-2). A `bankName` that leaves it is no longer accepted for new accounts, so a
 * change goes into CHANGELOG.md.
 */

export type Institution = Readonly<{
  /** The exact `bankName` of accounts (DISC-3). */
  bankName: string
  displayName: string
  country: string
  currency: string
}>

type Country = Readonly<{ country: string; currency: string; banks: readonly string[] }>

const COUNTRIES: readonly Country[] = [
  {
    country: 'BD',
    currency: 'BDT',
    banks: [
      'BRAC Bank',
      'City Bank',
      'Dutch-Bangla Bank',
      'Eastern Bank',
      'Islami Bank Bangladesh',
      'Nagad',
      'Rocket',
      'Sonali Bank',
      'bKash',
    ],
  },
  {
    country: 'CN',
    currency: 'CNY',
    banks: [
      'Agricultural Bank of China',
      'AliPay',
      'Bank of China',
      'China Construction Bank',
      'China Merchants Bank',
      'Industrial and Commercial Bank of China',
      'WechatPay',
    ],
  },
  {
    country: 'CO',
    currency: 'COP',
    banks: ['BBVA Colombia', 'Banco de Bogotá', 'Bancolombia', 'DaviPlata', 'Davivienda', 'Nequi'],
  },
  {
    country: 'EG',
    currency: 'EGP',
    banks: [
      'Banque Misr',
      'Commercial International Bank',
      'National Bank of Egypt',
      'QNB Egypt',
      'Vodafone Cash',
    ],
  },
  {
    country: 'GH',
    currency: 'GHS',
    banks: [
      'Absa Bank Ghana',
      'AirtelTigo Money',
      'Ecobank Ghana',
      'GCB Bank',
      'MTN Mobile Money',
      'Stanbic Bank Ghana',
      'Telecel Cash',
    ],
  },
  {
    country: 'GT',
    currency: 'GTQ',
    banks: [
      'BAC Credomatic Guatemala',
      'Banco Agromercantil',
      'Banco G&T Continental',
      'Banco Industrial',
      'Banrural',
    ],
  },
  {
    country: 'HK',
    currency: 'HKD',
    banks: [
      'Bank of China (Hong Kong)',
      'DBS Bank (Hong Kong)',
      'HSBC Hong Kong',
      'Hang Seng Bank',
      'Standard Chartered Hong Kong',
    ],
  },
  {
    country: 'ID',
    currency: 'IDR',
    banks: [
      'Bank Central Asia',
      'Bank Mandiri',
      'Bank Negara Indonesia',
      'Bank Rakyat Indonesia',
      'CIMB Niaga',
    ],
  },
  {
    country: 'IN',
    currency: 'INR',
    banks: [
      'Axis Bank',
      'HDFC Bank',
      'ICICI Bank',
      'Kotak Mahindra Bank',
      'Punjab National Bank',
      'State Bank of India',
    ],
  },
  {
    country: 'JM',
    currency: 'JMD',
    banks: [
      'CIBC Caribbean Jamaica',
      'First Global Bank',
      'JMMB Bank',
      'JN Bank',
      'National Commercial Bank Jamaica',
      'Sagicor Bank Jamaica',
      'Scotiabank Jamaica',
    ],
  },
  {
    country: 'MY',
    currency: 'MYR',
    banks: ['CIMB Bank', 'Hong Leong Bank', 'Maybank', 'Public Bank', 'RHB Bank'],
  },
  {
    country: 'NG',
    currency: 'NGN',
    banks: [
      'Access Bank',
      'Ecobank Nigeria',
      'Fidelity Bank',
      'First Bank of Nigeria',
      'First City Monument Bank',
      'Guaranty Trust Bank',
      'Keystone Bank',
      'Kuda',
      'Moniepoint',
      'OPay',
      'PalmPay',
      'Polaris Bank',
      'Stanbic IBTC Bank',
      'Sterling Bank',
      'Union Bank of Nigeria',
      'United Bank for Africa',
      'Wema Bank',
      'Zenith Bank',
    ],
  },
  {
    country: 'PH',
    currency: 'PHP',
    banks: [
      'BDO Unibank',
      'BPI',
      'China Banking Corporation',
      'EastWest Bank',
      'GCash',
      'Land Bank of the Philippines',
      'Maya',
      'Metrobank',
      'Philippine National Bank',
      'RCBC',
      'Security Bank',
      'UnionBank of the Philippines',
    ],
  },
  {
    country: 'PK',
    currency: 'PKR',
    banks: [
      'Allied Bank',
      'Easypaisa',
      'Habib Bank',
      'JazzCash',
      'MCB Bank',
      'Meezan Bank',
      'National Bank of Pakistan',
      'United Bank',
    ],
  },
  {
    country: 'SG',
    currency: 'SGD',
    banks: ['DBS Bank', 'OCBC Bank', 'Standard Chartered Singapore', 'United Overseas Bank'],
  },
  {
    country: 'SV',
    currency: 'USD',
    banks: [
      'BAC Credomatic El Salvador',
      'Banco Agrícola',
      'Banco Cuscatlán',
      'Davivienda El Salvador',
      'Tigo Money',
    ],
  },
  {
    country: 'TH',
    currency: 'THB',
    banks: [
      'Bangkok Bank',
      'Bank of Ayudhya',
      'Kasikornbank',
      'Krungthai Bank',
      'Siam Commercial Bank',
      'TMBThanachart Bank',
    ],
  },
  {
    country: 'VN',
    currency: 'VND',
    banks: ['Agribank', 'BIDV', 'MB Bank', 'Techcombank', 'VietinBank', 'Vietcombank'],
  },
  {
    country: 'ZA',
    currency: 'ZAR',
    banks: [
      'Absa',
      'African Bank',
      'Capitec Bank',
      'Discovery Bank',
      'First National Bank',
      'Investec',
      'Nedbank',
      'Standard Bank',
      'TymeBank',
    ],
  },
]

export const INSTITUTIONS: readonly Institution[] = COUNTRIES.flatMap(
  ({ country, currency, banks }) =>
    banks.map((name) => ({ bankName: name, displayName: name, country, currency })),
)
