import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isValidBIC, isValidIBAN } from 'ibantools'
import { bech32, bech32m } from '@scure/base'
import { bodyValidator } from '../../../infra/http/schema/validate.ts'
import { CURRENCIES } from '../../../kernel/money/currency.ts'
import { newId } from '../../../kernel/ids.ts'
import {
  isAbaRoutingNumber,
  isClabe,
} from '../../external-accounts/formats/bank/national-number.ts'
import { isPayableInvoice } from '../../external-accounts/formats/wallet/lightning.ts'
import {
  hasEvmForm,
  toChecksumAddress,
} from '../../external-accounts/formats/wallet/evm-address.ts'
import { isSolanaAddress } from '../../external-accounts/formats/wallet/solana-address.ts'
import {
  isMainnetSparkAddress,
  sparkIdentityKey,
} from '../../external-accounts/formats/wallet/spark-address.ts'
import { isTronAddress } from '../../external-accounts/formats/wallet/tron-address.ts'
import {
  defaultFunding,
  draftFunding,
  type FundingRequest,
  type PaymentInstructions,
} from './instructions.ts'
import { PaymentInstructionsSchema } from '../schema.ts'

const service = { legalName: 'Florin Sandbox', publicUrl: 'https://pay.example.com' }
const createdAt = new Date('2026-01-15T10:00:00.000Z')

const request = (currency: string, more: Partial<FundingRequest> = {}): FundingRequest => ({
  owner: { kind: 'internalAccount', id: newId('internalAccount') },
  currency,
  holderName: 'Ada Lovelace',
  isPlatformAccount: false,
  createdAt,
  ...more,
})

const draft = (wanted: FundingRequest, attempt = 0) => draftFunding(wanted, { attempt, service })

const typesOf = (instructions: readonly PaymentInstructions[]): string[] =>
  instructions.map(({ accountOrWalletInfo }) => accountOrWalletInfo.accountType)

const infoOf = (currency: string, index = 0): Record<string, string> =>
  draft(request(currency)).instructions[index]?.accountOrWalletInfo as Record<string, string>

describe('section 6, the entries of each currency in their order', () => {
  const ROWS: readonly (readonly [currencies: string, types: string])[] = [
    ['USD', 'US_ACCOUNT SPARK_WALLET SOLANA_WALLET'],
    ['EUR', 'EUR_ACCOUNT'],
    ['DKK', 'DKK_ACCOUNT'],
    ['GBP', 'GBP_ACCOUNT'],
    ['MXN', 'MXN_ACCOUNT'],
    ['BRL', 'BRL_ACCOUNT'],
    ['INR', 'INR_ACCOUNT'],
    ['COP', 'COP_ACCOUNT'],
    ['ARS', 'ARS_ACCOUNT'],
    ['KES', 'KES_ACCOUNT'],
    ['USDC', 'SOLANA_WALLET BASE_WALLET POLYGON_WALLET ETHEREUM_WALLET'],
    ['USDT', 'TRON_WALLET ETHEREUM_WALLET PLASMA_WALLET SOLANA_WALLET'],
    ['USDB', 'SPARK_WALLET'],
    ['BTC', 'SPARK_WALLET LIGHTNING BITCOIN_L1'],
    // Fiat for which the contract has no shape of its own.
    ['JPY', 'SWIFT_ACCOUNT'],
    ['CHF', 'SWIFT_ACCOUNT'],
  ]
  for (const [currency, types] of ROWS) {
    test(`${currency} is funded by ${types}`, () => {
      assert.deepEqual(typesOf(draft(request(currency)).instructions), types.split(' '))
    })
  }
})

describe('every currency of the catalogue', () => {
  const validate = bodyValidator(PaymentInstructionsSchema)
  const isBank = (type: string): boolean => type.endsWith('_ACCOUNT')
  for (const { code } of CURRENCIES) {
    test(`${code} has instructions that fit their shape`, () => {
      const { instructions, addresses } = draft(request(code))
      assert.ok(instructions.length > 0, 'never empty')
      for (const one of instructions) {
        assert.deepEqual(validate(one), [], JSON.stringify(one))
        const { accountType, accountHolderName, bankName } = one.accountOrWalletInfo
        if (!isBank(accountType)) continue
        assert.equal(accountHolderName, 'Florin Sandbox FBO Ada Lovelace', 'IACC-11')
        assert.equal(bankName, 'Florin Sandbox Bank')
      }
      assert.ok(addresses.length > 0, 'a deposit can be attributed')
    })

    test(`IACC-9 ${code}: every draft of an account is the same, and shared with no other account`, () => {
      const wanted = request(code)
      assert.deepEqual(draft(wanted), draft(wanted))
      const values = new Set(draft(wanted).addresses.map(({ value }) => value))
      for (const { value } of draft(request(code)).addresses) assert.ok(!values.has(value), value)
      for (const { value } of draft(wanted, 1).addresses) assert.ok(!values.has(value), value)
    })
  }
})

describe('sandbox values are valid in the strict sense', () => {
  const each = (count: number, check: () => void): void => {
    for (let n = 0; n < count; n += 1) check()
  }

  test('a US account has an account number, a routing number and a reference', () => {
    each(50, () => {
      const info = infoOf('USD')
      assert.match(info['accountNumber'] ?? '', /^[0-9]{10}$/)
      assert.ok(isAbaRoutingNumber(info['routingNumber'] ?? ''))
      assert.match(info['reference'] ?? '', /^FUND-[A-HJ-NP-Z2-9]{8}$/, 'IACC-10')
    })
  })

  for (const currency of ['EUR', 'DKK', 'AED', 'EGP', 'PKR']) {
    test(`an IBAN in ${currency} passes mod 97, and its BIC is of its country`, () => {
      each(50, () => {
        const { iban = '', swiftCode } = infoOf(currency)
        assert.ok(isValidIBAN(iban), iban)
        if (swiftCode === undefined) return
        assert.ok(isValidBIC(swiftCode))
        assert.equal(swiftCode.slice(4, 6), iban.slice(0, 2))
      })
    })
  }

  test('a CLABE has its control digit', () => {
    each(50, () => assert.ok(isClabe(infoOf('MXN')['clabeNumber'] ?? '')))
  })

  test('a CBU has both of its check digits', () => {
    const sum = (digits: string, weights: readonly number[]): number =>
      [...digits].reduce(
        (total, digit, index) => total + Number(digit) * (weights[index % weights.length] ?? 0),
        0,
      )
    each(50, () => {
      const cbu = infoOf('ARS')['accountNumber'] ?? ''
      assert.equal((sum(cbu.slice(0, 7), [7, 1, 3, 9]) + Number(cbu[7])) % 10, 0, cbu)
      assert.equal((sum(cbu.slice(8, 21), [3, 9, 7, 1]) + Number(cbu[21])) % 10, 0, cbu)
    })
  })

  test('a PIX code ends in the checksum of what stands before it', () => {
    const crc = (text: string): string => {
      let value = 0xffff
      for (const byte of Buffer.from(text)) {
        value ^= byte << 8
        for (let bit = 0; bit < 8; bit += 1)
          value = ((value << 1) ^ (value & 0x8000 ? 0x1021 : 0)) & 0xffff
      }
      return value.toString(16).toUpperCase().padStart(4, '0')
    }
    assert.equal(crc('123456789'), '29B1', 'the published check value of CRC-16/CCITT-FALSE')
    each(50, () => {
      const code = infoOf('BRL')['qrCode'] ?? ''
      assert.equal(code.slice(-4), crc(code.slice(0, -4)), code)
      assert.match(code, /^000201.*br\.gov\.bcb\.pix.*5303986.*5802BR.*6304[0-9A-F]{4}$/)
    })
  })

  test('a Spark address holds a key of the curve, its invoice the same key', () => {
    each(10, () => {
      const { address = '', invoice = '' } = infoOf('BTC')
      assert.ok(isMainnetSparkAddress(address), address)
      assert.deepEqual(sparkIdentityKey(invoice), sparkIdentityKey(address))
      const payload = bech32m.fromWords(bech32m.decode(invoice as `a1${string}`, 1000).words)
      assert.equal(payload[35], 0x12, 'the invoice is the second field')
      assert.equal(payload[36], payload.length - 37, 'and reaches to the end')
    })
  })

  test('Solana, EVM, Tron and Bitcoin addresses are valid', () => {
    each(10, () => {
      const [solana, ...evm] = draft(request('USDC')).instructions.map(
        ({ accountOrWalletInfo: info }) => String(info['address']),
      )
      assert.ok(isSolanaAddress(solana ?? ''))
      assert.equal(new Set(evm).size, 3)
      for (const address of evm) {
        assert.ok(hasEvmForm(address))
        assert.equal(address, toChecksumAddress(address), 'EIP-55')
      }
      assert.ok(isTronAddress(infoOf('USDT')['address'] ?? ''))
      const { prefix, words } = bech32.decode(infoOf('BTC', 2)['address'] as `bc1${string}`)
      assert.deepEqual(
        [prefix, words[0], bech32.fromWords(words.slice(1)).length],
        ['bc', 0, 20],
        'a witness program of version 0',
      )
    })
  })

  test('a Lightning invoice is signed, of the main network, and does not expire with its account', () => {
    const { invoice = '' } = infoOf('BTC', 1)
    assert.ok(isPayableInvoice(invoice, createdAt))
    assert.ok(isPayableInvoice(invoice, new Date('2099-01-01T00:00:00Z')))
  })

  test('a payment page is an address of this service', () => {
    const { paymentUrl = '' } = infoOf('COP')
    assert.match(paymentUrl, /^https:\/\/pay\.example\.com\/pay\/FUND-/)
  })
})

test('IACC-11 isPlatformAccount is true exactly on platform accounts’ instructions', () => {
  for (const isPlatformAccount of [true, false]) {
    const { instructions } = draft(request('USD', { isPlatformAccount }))
    for (const one of instructions) assert.equal(one.isPlatformAccount, isPlatformAccount)
  }
})

test('IACC-11 a name of any length fits the account', () => {
  for (const holderName of ['x'.repeat(400), '😀'.repeat(400), `x${'😀'.repeat(400)}`]) {
    const { instructions } = draft(request('CHF', { holderName }))
    assert.deepEqual(bodyValidator(PaymentInstructionsSchema)(instructions[0]), [])
    const name = String(instructions[0]?.accountOrWalletInfo['accountHolderName'])
    assert.ok(name.isWellFormed(), name)
    assert.equal([...name].length, 255)
  }
})

test('QUOTE-18 a quote is paid over instant rails, by a reference of its own form', () => {
  const owner = { kind: 'quote', id: newId('quote') } as const
  const [first] = draft(request('USD', { owner })).instructions
  assert.deepEqual(first?.accountOrWalletInfo['paymentRails'], ['RTP', 'FEDNOW'])
  assert.match(String(first.accountOrWalletInfo['reference']), /^Q[A-HJ-NP-Z2-9]{10}$/)
})

test('QUOTE-5 a network narrows the instructions to what comes over it', () => {
  const { instructions } = draft(request('USDC', { network: 'BASE' }))
  assert.deepEqual(typesOf(instructions), ['BASE_WALLET'])
})

test('IACC-14 the default rail is the first of the first entry', () => {
  assert.deepEqual(defaultFunding('USD'), { rail: 'ACH' })
  assert.deepEqual(defaultFunding('EUR'), { rail: 'SEPA_INSTANT' })
  assert.deepEqual(defaultFunding('JPY'), { rail: 'SWIFT' })
  assert.deepEqual(defaultFunding('USDT'), { network: 'TRON' })
  assert.deepEqual(defaultFunding('BTC'), { network: 'SPARK' })
})
