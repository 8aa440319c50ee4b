/** The code of a wallet's one-time password, as its platform configured it (chapter 20, lifetimes and limits). */
import { randomInt } from 'node:crypto'
import { newNumericCode } from './one-time-code.ts'

/** Without `0 O 1 I`, which people confuse. */
const LETTERS_AND_DIGITS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const OTP_LENGTH_DEFAULT = 6

export type OtpCodeForm = Readonly<{
  otpLength?: number | undefined
  alphanumeric?: boolean | undefined
}>

/** Every character is drawn evenly from the system's random source (CHAL-8). */
export function newOtpCode({
  otpLength = OTP_LENGTH_DEFAULT,
  alphanumeric = false,
}: OtpCodeForm = {}): string {
  if (!alphanumeric) return newNumericCode(otpLength)
  const draw = (): string => LETTERS_AND_DIGITS.charAt(randomInt(LETTERS_AND_DIGITS.length))
  return Array.from({ length: otpLength }, draw).join('')
}
