import { formatMessage } from '../../../kernel/text/formats.ts'
import type { Values } from './shape.ts'
import {
  isCnpj,
  isCpf,
  type PixKeyType,
  fitsPixKeyType,
  isPixKeyType,
} from '../formats/bank/brazil.ts'
import type { Finding } from './finding.ts'
import { formFinding, strictFinding } from './finding.ts'

const FORMATS: Readonly<Record<PixKeyType, string>> = {
  CPF: 'cpf',
  CNPJ: 'cnpj',
  EMAIL: 'email',
  PHONE: 'e.164',
  RANDOM: 'uuid',
}

/** The length tells a CPF from a CNPJ. */
function taxFormat(taxId: string): 'cpf' | 'cnpj' {
  return taxId.length === 11 ? 'cpf' : 'cnpj'
}

function isTaxNumber(text: string): boolean {
  return taxFormat(text) === 'cpf' ? isCpf(text) : isCnpj(text)
}

/** For BRL_ACCOUNT: the key fits its type, check digits are right, and a tax number as key is the holder's own. */
export function checkPixKey({ pixKey, pixKeyType, taxId }: Values): Finding[] {
  const findings: Finding[] = []
  if (pixKey !== undefined && isPixKeyType(pixKeyType)) {
    findings.push(...checkKey({ pixKey, pixKeyType, taxId }))
  }
  if (taxId !== undefined && !isTaxNumber(taxId)) {
    const format = taxFormat(taxId)
    findings.push(wrongDigits({ field: 'taxId', format }))
  }
  return findings
}

type Key = Readonly<{ pixKey: string; pixKeyType: PixKeyType; taxId: string | undefined }>

function checkKey({ pixKey, pixKeyType, taxId }: Key): Finding[] {
  const format = FORMATS[pixKeyType]
  if (!fitsPixKeyType({ key: pixKey, type: pixKeyType })) {
    const message = `must be a PIX key of type ${pixKeyType}`
    return [formFinding({ field: 'pixKey', message, constraint: { format } })]
  }
  if (pixKeyType !== 'CPF' && pixKeyType !== 'CNPJ') return []
  if (!isTaxNumber(pixKey)) return [wrongDigits({ field: 'pixKey', format })]
  if (taxId === undefined || pixKey === taxId) return []
  return [strictFinding({ field: 'pixKey', message: 'must be the taxId of the holder' })]
}

function wrongDigits({ field, format }: { field: string; format: string }): Finding {
  return strictFinding({ field, message: formatMessage(format), constraint: { format } })
}
