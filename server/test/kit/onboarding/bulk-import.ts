import assert from 'node:assert/strict'
import { expectStatus, type Api } from '../api.ts'
import { eventually } from '../eventually.ts'
import type { TestPlatform } from '../florin.ts'

export const COLUMNS = [
  ...['umaAddress', 'platformCustomerId', 'customerType', 'fullName', 'birthDate'],
  ...['businessLegalName', 'businessRegistrationNumber', 'businessTaxId'],
  ...['addressLine1', 'addressLine2', 'city', 'state', 'postalCode', 'country', 'email'],
] as const

export type Row = Readonly<Partial<Record<(typeof COLUMNS)[number], string>>>

const ADDRESS = {
  addressLine1: '1 Main St',
  city: 'San Francisco',
  state: 'CA',
  postalCode: '94105',
  country: 'US',
}

export const individual = (row: Row): Row => ({
  customerType: 'INDIVIDUAL',
  fullName: 'Ana Martins',
  birthDate: '1990-05-17',
  ...ADDRESS,
  ...row,
})

export const business = (row: Row): Row => ({
  customerType: 'BUSINESS',
  businessLegalName: 'Acme Inc.',
  ...ADDRESS,
  ...row,
})

const cell = (value = ''): string =>
  /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value

/** A file of these rows, header first. */
export function csvOf(rows: readonly Row[], columns: readonly (keyof Row)[] = COLUMNS): string {
  const lines = rows.map((row) => columns.map((column) => cell(row[column])).join(','))
  return [columns.join(','), ...lines, ''].join('\r\n')
}

export type UploadOptions = Readonly<{ headers?: Record<string, string>; name?: string }>

/** Sends a file as the form has it, with a boundary of its own every time. */
export function sendCsv(
  api: Api,
  content: string | Buffer,
  { headers = {}, name = 'customers.csv' }: UploadOptions = {},
) {
  const form = new FormData()
  form.append('file', new Blob([content as BlobPart], { type: 'text/csv' }), name)
  return api.send('POST', '/customers/bulk/csv', { body: form, headers })
}

export async function startImport(
  { api }: TestPlatform,
  content: string | Buffer,
): Promise<string> {
  return expectStatus(await sendCsv(api, content), 202).jobId
}

export async function readImport({ api }: Pick<TestPlatform, 'api'>, jobId: string) {
  return expectStatus(await api.get(`/customers/bulk/jobs/${jobId}`), 200)
}

/** Uploads and waits for the end; the job as it is then. */
export async function importCsv(platform: TestPlatform, content: string | Buffer) {
  const jobId = await startImport(platform, content)
  return endOf(platform, jobId)
}

export const endOf = (platform: Pick<TestPlatform, 'api'>, jobId: string) =>
  eventually(async () => {
    const job = await readImport(platform, jobId)
    assert.match(job.status, /^(?:COMPLETED|FAILED)$/)
    return job
  }, 30_000)

export async function umaDomainOf({ api }: Pick<TestPlatform, 'api'>): Promise<string> {
  return expectStatus(await api.get('/config'), 200).umaDomain
}
