import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../../kernel/errors.ts'
import {
  blurredPhoto,
  croppedPhoto,
  encryptedPdf,
  greyPhoto,
  smallPhoto,
  truncatedPhoto,
} from '../../../../test/kit/onboarding/document-files.ts'
import { builtInInspector } from '../../../providers/document-inspection/built-in-inspector.ts'
import type { InspectedDocument } from '../../../providers/document-inspection/document-inspector.ts'
import type { MediaType } from '../document.ts'
import { mustBeAcceptable } from './must-be-acceptable.ts'

for (const code of [
  ...(['LOW_QUALITY', 'DATA_MISMATCH', 'EXPIRED', 'SUSPECTED_FRAUD', 'INCOMPLETE'] as const),
]) {
  test(`DOC-16 an inspector of another kind refuses with ${code}, and its words reach the platform`, () => {
    const details = { reasons: ['ITS_OWN'], advice: ['Take another one.'] }
    const inspected = { mediaType: 'image/png' as MediaType, rejection: { code, details } }
    assert.throws(
      () => mustBeAcceptable('INDIVIDUAL', { documentType: 'PASSPORT', inspected }),
      (error) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual([error.code, error.status, error.details], [code, 400, details])
        return true
      },
    )
  })
}

test('DOC-16 the built-in inspector has one code for all findings', async () => {
  const makers = [blurredPhoto, croppedPhoto, greyPhoto, smallPhoto, truncatedPhoto, encryptedPdf]
  for (const make of makers) {
    const { bytes, type } = await make()
    const mediaType = type as InspectedDocument['mediaType']
    const asked = {
      ...{ documentType: 'PASSPORT', fileName: 'photo.jpg' },
      ...{ mediaType, share: { platform: 'one', source: 'api' }, read: async () => bytes },
    }
    assert.equal((await builtInInspector.inspect(asked))?.code, 'DOCUMENT_REJECTED', make.name)
  }
})
