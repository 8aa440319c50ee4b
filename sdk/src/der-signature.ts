/**
 * The two spellings of a P-256 signature: DER, which travels, and the 64 bytes r‖s that WebCrypto speaks. All lengths
 * fit into one byte: a sequence of two integers of at most 33 bytes.
 */
import { joined, type Bytes } from './bytes.ts'

const SEQUENCE = 0x30
const INTEGER = 0x02
const HALF = 32

/** Undefined for anything that is not two integers of fitting size in the shortest DER. */
export function rawOfDer(der: Uint8Array): Bytes | undefined {
  if (der[0] !== SEQUENCE || der[1] !== der.length - 2) return undefined
  const first = integerAt(der, 2)
  const second = first && integerAt(der, first.end)
  if (first === undefined || second?.end !== der.length) return undefined
  return joined(padded(first.value), padded(second.value))
}

type Read = Readonly<{ value: Uint8Array; end: number }>

function integerAt(der: Uint8Array, at: number): Read | undefined {
  const length = der[at + 1] ?? 0
  const end = at + 2 + length
  if (der[at] !== INTEGER || length === 0 || end > der.length) return undefined
  const bytes = der.subarray(at + 2, end)
  const [head = 0, next = 0] = bytes
  const isNegative = head >= 0x80
  const isPadded = length > 1 && head === 0 && next < 0x80
  const value = head === 0 ? bytes.subarray(1) : bytes
  if (isNegative || isPadded || value.length > HALF) return undefined
  return { value, end }
}

const padded = (value: Uint8Array): Bytes => joined(new Uint8Array(HALF - value.length), value)

export function derOfRaw(raw: Uint8Array): Bytes {
  const body = joined(integer(raw.subarray(0, HALF)), integer(raw.subarray(HALF)))
  return joined(Uint8Array.of(SEQUENCE, body.length), body)
}

/** Without needless zeros, and with one where the first bit would make the number negative. */
function integer(half: Uint8Array): Bytes {
  const start = half.findIndex((byte) => byte !== 0)
  const digits = start === -1 ? Uint8Array.of(0) : half.subarray(start)
  const value = (digits[0] ?? 0) >= 0x80 ? joined(Uint8Array.of(0), digits) : digits
  return joined(Uint8Array.of(INTEGER, value.length), value)
}
