import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { expectFields, expectStatus, text, type Api } from '../../../test/kit/api.ts'
import { startKit } from '../../../test/kit/florin.ts'
import { operate } from '../../../test/kit/operator.ts'

const kit = await startKit()
const { origin } = new URL(kit.baseUrl)

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 4, background: '#0b626680' } })

const base64 = async (image: Sharp): Promise<string> => (await image.toBuffer()).toString('base64')

const brand = async (api: Api, branding: unknown) =>
  expectStatus(await api.patch('/config', { branding }), 200).branding

const served = (logoUrl: unknown): Promise<Response> =>
  fetch(`${origin}${new URL(text(logoUrl)).pathname}`)

test('OPER-194 branding merges field by field, and null clears a field or all of it', async () => {
  const { api, platformId } = await kit.platform()
  assert.equal(expectStatus(await api.get('/config'), 200).branding, undefined)
  assert.deepEqual(await brand(api, { name: ' Acme Pay ', color: '#E11D48' }), {
    name: 'Acme Pay',
    color: '#E11D48',
  })
  const logo = await base64(picture(40, 20).png())
  const { logoUrl, ...rest } = (await brand(api, { logo, color: null })) ?? {}
  assert.deepEqual(rest, { name: 'Acme Pay' })
  assert.match(text(logoUrl), /\/logos\/[\w-]{43}$/)
  assert.deepEqual((await operate(kit, `platforms show ${platformId}`))['branding'], {
    name: 'Acme Pay',
    logo: 'image/png',
  })
  assert.deepEqual(await brand(api, { logo: null }), { name: 'Acme Pay' })
  assert.equal((await served(logoUrl)).status, 404)
  assert.equal(await brand(api, null), undefined)
})

test('OPER-194 the fields of the branding have bounds', async () => {
  const { api } = await kit.platform()
  const wrong: [string, unknown][] = [
    ['name', ''],
    ['name', 'x'.repeat(81)],
    ['name', 'a\u202eb'],
    ['color', 'red'],
    ['color', '#fff'],
    ['color', '#12345g'],
    ['color', '#123456;}'],
    ['logo', 5],
  ]
  for (const [name, value] of wrong) {
    expectFields(await api.patch('/config', { branding: { [name]: value } }), [`branding.${name}`])
  }
})

test('OPER-195 a logo is a PNG or JPEG of bounded size, and nothing else', async () => {
  const { api } = await kit.platform()
  const noise = Buffer.from(Array.from({ length: 300 * 300 * 3 }, (_, n) => (n * 7919) % 251))
  const large = sharp(noise, { raw: { width: 300, height: 300, channels: 3 } })
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
  const png = await base64(picture(40, 20).png())
  for (const logo of [
    Buffer.from(svg).toString('base64'),
    await base64(picture(40, 20).gif()),
    await base64(picture(40, 20).webp()),
    await base64(picture(2001, 1).png()),
    await base64(large.png({ compressionLevel: 0 })),
    png.slice(0, 60),
    `${png}!`,
    `data:image/png;base64,${png}`,
    '',
  ]) {
    expectFields(await api.patch('/config', { branding: { logo } }), ['branding.logo'])
  }
})

test('OPER-195 a logo is served from here, without metadata, for good and as nothing but a picture', async () => {
  const [one, other] = await Promise.all([kit.platform(), kit.platform()])
  for (const [image, type] of [
    [picture(40, 20).png(), 'image/png'],
    [picture(40, 20).flatten().jpeg(), 'image/jpeg'],
  ] as const) {
    const logo = await base64(image.withExif({ IFD0: { Copyright: 'Very Secret' } }))
    const first = (await brand(one.api, { logo }))?.logoUrl
    assert.equal((await brand(other.api, { logo }))?.logoUrl, first, 'the same content')
    const answer = await served(first)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), type)
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.ok(!bytes.includes('Very Secret'))
    const { width, height } = await sharp(bytes).metadata()
    assert.deepEqual([width, height], [40, 20])
  }
  for (const digest of ['x', '..%2f', `${'a'.repeat(43)}`, '%00']) {
    assert.equal((await fetch(`${origin}/logos/${digest}`)).status, 404, digest)
  }
})
