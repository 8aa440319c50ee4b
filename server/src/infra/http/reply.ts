/** What an operation answers. Headers beyond the standard ones are rare; `body` is absent on 204. */
export type Reply<Status extends number = number, Body = unknown> = Readonly<{
  status: Status
  body?: Body
  headers?: Readonly<Record<string, string>>
  /** Work was left that is due now; in sandbox it is run before the answer leaves, so that the next read sees it. */
  isWorkDue?: boolean
  /** False: it was so already, and leaves no entry in the audit. */
  isChange?: boolean
}>

export function reply<Status extends number, Body>(
  status: Status,
  body: Body,
  headers?: Record<string, string>,
): Reply<Status, Body> {
  return headers ? { status, body, headers } : { status, body }
}

export function noContent(): Reply<204, undefined> {
  return { status: 204 }
}
