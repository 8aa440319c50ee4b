// data table
/** Account types on chains and on Lightning. Columns: shape.ts. */
import { required } from './fields.ts'
import type { AccountType, FieldRule } from './shape.ts'
import { WALLET_BENEFICIARY } from './beneficiary.ts'
import {
  decodeBolt11,
  decodeBolt11WithSuffix,
  isPayableInvoice,
  hasBolt12Form,
  isBolt12Offer,
  isLightningAddress,
} from '../formats/wallet/lightning.ts'
import { hasEvmForm, hasTrueEvmCase } from '../formats/wallet/evm-address.ts'
import { isSolanaAddress, isSolanaAddressWithSuffix } from '../formats/wallet/solana-address.ts'
import {
  hasSparkForm,
  hasSparkFormWithSuffix,
  isMainnetSparkAddress,
} from '../formats/wallet/spark-address.ts'
import {
  hasTronForm,
  hasTronFormWithSuffix,
  isTronAddress,
} from '../formats/wallet/tron-address.ts'
import { bech32Text, trimmed } from '../formats/normalise.ts'

const EVM_ADDRESS: FieldRule = {
  format: 'evm-address',
  normalise: trimmed,
  form: hasEvmForm,
  strict: hasTrueEvmCase,
}

const SPARK_ADDRESS: FieldRule = {
  format: 'spark-address',
  normalise: bech32Text,
  form: hasSparkForm,
  formWithSuffix: hasSparkFormWithSuffix,
  strict: isMainnetSparkAddress,
}

const SOLANA_ADDRESS: FieldRule = {
  format: 'solana-address',
  normalise: trimmed,
  form: isSolanaAddress,
  formWithSuffix: isSolanaAddressWithSuffix,
  caseMatters: true,
}

const TRON_ADDRESS: FieldRule = {
  format: 'tron-address',
  normalise: trimmed,
  form: hasTronForm,
  formWithSuffix: hasTronFormWithSuffix,
  strict: isTronAddress,
  caseMatters: true,
}

/** Longer than any invoice or offer that fits a QR code. */
const LIGHTNING_TEXT_LENGTH_MAX = 4096

const INVOICE: FieldRule = {
  maxLength: LIGHTNING_TEXT_LENGTH_MAX,
  format: 'bolt11',
  normalise: bech32Text,
  form: (invoice) => decodeBolt11(invoice) !== undefined,
  formWithSuffix: (invoice) =>
    decodeBolt11(invoice) !== undefined || decodeBolt11WithSuffix(invoice) !== undefined,
  strict: isPayableInvoice,
}

function wallet({
  accountType,
  currencies,
  address,
}: Readonly<{
  accountType: string
  currencies: readonly string[]
  address: FieldRule
}>): AccountType {
  return {
    accountType,
    kind: 'wallet',
    currencies,
    rails: [],
    fields: { address: required(address) },
    identifier: ['address'],
    beneficiary: WALLET_BENEFICIARY,
  }
}

export const WALLET_TYPES: readonly AccountType[] = [
  wallet({ accountType: 'BASE_WALLET', currencies: ['USDC'], address: EVM_ADDRESS }),
  wallet({ accountType: 'ETHEREUM_WALLET', currencies: ['USDC', 'USDT'], address: EVM_ADDRESS }),
  wallet({ accountType: 'POLYGON_WALLET', currencies: ['USDC'], address: EVM_ADDRESS }),
  wallet({ accountType: 'PLASMA_WALLET', currencies: ['USDT'], address: EVM_ADDRESS }),
  wallet({ accountType: 'SOLANA_WALLET', currencies: ['USDC', 'USDT'], address: SOLANA_ADDRESS }),
  wallet({ accountType: 'SPARK_WALLET', currencies: ['BTC', 'USDB'], address: SPARK_ADDRESS }),
  wallet({ accountType: 'TRON_WALLET', currencies: ['USDT'], address: TRON_ADDRESS }),
  {
    accountType: 'LIGHTNING',
    kind: 'lightning',
    currencies: ['BTC'],
    rails: [],
    fields: {
      invoice: INVOICE,
      bolt12: {
        maxLength: LIGHTNING_TEXT_LENGTH_MAX,
        format: 'bolt12',
        normalise: bech32Text,
        form: hasBolt12Form,
        strict: isBolt12Offer,
      },
      lightningAddress: {
        format: 'lightning-address',
        normalise: trimmed,
        form: isLightningAddress,
      },
    },
    alternatives: [
      { needs: ['invoice'], rails: [] },
      { needs: ['bolt12'], rails: [] },
      { needs: ['lightningAddress'], rails: [] },
    ],
    identifier: ['invoice', 'bolt12', 'lightningAddress'],
  },
]
