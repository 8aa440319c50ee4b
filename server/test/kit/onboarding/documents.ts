import { expectStatus, type Api } from '../api.ts'
import { goodPhoto, type DocumentFile } from './document-files.ts'
import type { TestPlatform } from '../florin.ts'

export type Fields = Readonly<Record<string, unknown>>

export type FormRequest<M extends string = string, P extends string = string> = Readonly<{
  method?: M
  path?: P
  fields: Fields
  file?: DocumentFile | undefined
  headers?: Record<string, string>
}>

/** Sends a multipart form, with a boundary of its own every time. */
export function sendForm<M extends string = 'POST', P extends string = '/documents'>(
  api: Api,
  { method = 'POST' as M, path = '/documents' as P, fields, file, headers = {} }: FormRequest<M, P>,
) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(value))
  }
  if (file)
    form.append('file', new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.name)
  return api.send(method, path, { body: form, headers })
}

export const PASSPORT = {
  documentType: 'PASSPORT',
  country: 'US',
  documentNumber: 'X1234567',
  issuingAuthority: 'Department of State',
} as const

export const LICENSE = { ...PASSPORT, documentType: 'DRIVERS_LICENSE', side: 'FRONT' } as const

/** Uploads a document, a passport unless the fields say otherwise, and answers it. */
export async function uploadDocument({ api }: TestPlatform, fields: Fields, file?: DocumentFile) {
  const request = { fields: { ...PASSPORT, ...fields }, file: file ?? (await goodPhoto()) }
  return expectStatus(await sendForm(api, request), 201)
}
