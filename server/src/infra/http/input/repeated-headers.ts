import { fail } from '../../../kernel/errors.ts'

const GIVEN_ONCE = ['host', 'idempotency-key']

/** Two of one of these headers may be read differently by a proxy and by this service. */
export function mustNotRepeat(rawHeaders: readonly string[]): void {
  let seen = ''
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? ''
    if (!GIVEN_ONCE.includes(name)) continue
    if (seen.includes(name)) fail('INVALID_REQUEST_FORMAT', { reason: `Two ${name} headers.` })
    seen += `${name} `
  }
}
