import { decimalDigits } from './seed.ts'

/** An element of an EMV code: two digits of id, two of length, the value. */
const element = (id: string, value: string): string =>
  `${id}${String(value.length).padStart(2, '0')}${value}`

/** CRC-16 with polynomial 0x1021 and start 0xffff, over everything before it, as four hex digits. */
function checksum(text: string): string {
  let crc = 0xffff
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    }
    crc &= 0xffff
  }
  return crc.toString(16).toUpperCase().padStart(4, '0')
}

/** A static PIX code (the text of the QR picture) to a random key, without an amount, which the payer chooses. */
export function pixCodeOf(bytes: Uint8Array): string {
  const key = Buffer.from(bytes.subarray(0, 16))
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const open =
    element('00', '01') +
    element('26', element('00', 'br.gov.bcb.pix') + element('01', key)) +
    element('52', '0000') +
    element('53', '986') +
    element('58', 'BR') +
    element('59', 'FLORIN SANDBOX') +
    element('60', 'SAO PAULO') +
    element('62', element('05', decimalDigits(bytes, 20))) +
    '6304'
  return `${open}${checksum(open)}`
}
