import assert from 'node:assert/strict'
import { test } from 'node:test'
import { client, expectStatus, type Credentials } from '../../../../test/kit/api.ts'
import { newCard } from '../../../../test/kit/cards.ts'
import { startOwnKit, type TestPlatform } from '../../../../test/kit/florin.ts'
import { operate } from '../../../../test/kit/operator.ts'
import { UsageError } from '../../command.ts'

const kit = await startOwnKit()

test('CARD-37 the operator names the origins that may frame a platform’s cards', async () => {
  const line = 'platforms create --name Shop --kind REGULATED --currencies USD'
  const named = ['--card-origin', 'https://a.example', '--card-origin', 'https://b.example']
  const created = await operate(kit, line, ...named)
  const own = {
    ...created,
    api: client(kit.baseUrl, created as unknown as Credentials),
  } as unknown as TestPlatform
  const { id } = await newCard(own)
  const ancestors = async (body?: object): Promise<string | undefined> => {
    const link = expectStatus(await own.api.post(`/cards/${id}/reveal`, body), 200)
    const { pathname } = new URL(link.panEmbedUrl)
    const page = await fetch(`${new URL(kit.baseUrl).origin}${pathname}`)
    const policy = page.headers.get('content-security-policy') ?? ''
    return policy.split('frame-ancestors ')[1]
  }
  assert.equal(await ancestors(), 'https://a.example https://b.example')
  assert.equal(await ancestors({ parentOrigin: 'https://c.example' }), 'https://c.example')
  const update = `platforms update ${own.platformId}`
  const changed = await operate(kit, update, '--card-origin', 'https://d.example')
  assert.deepEqual(changed['cardOrigins'], ['https://d.example'])
  assert.equal(await ancestors(), 'https://d.example')
  await operate(kit, `${update} --name Same`)
  assert.equal(await ancestors(), 'https://d.example', 'it stays while nothing is said of it')
  await operate(kit, `${update} --card-origin none`)
  assert.match((await ancestors()) ?? '', /^http:\/\/localhost:\*/)
  for (const wrong of ['*', 'https://*.example', 'http://shop.example', 'https://shop.example/']) {
    await assert.rejects(operate(kit, update, '--card-origin', wrong), UsageError, wrong)
  }
  const production = `${line} --environment PRODUCTION`
  await assert.rejects(
    operate(kit, production, '--card-origin', 'http://localhost:3000'),
    UsageError,
  )
})

test('CRED-14 SCA-7 the operator names the origins of passkeys, also for a platform that exists', async () => {
  const line =
    'platforms create --name Bank --kind REGULATED --currencies USD --environment PRODUCTION'
  const { platformId } = await operate(kit, line)
  const update = `platforms update ${String(platformId)}`
  const origins = ['https://a.example', 'android:apk-key-hash:abc']
  const changed = await operate(kit, update, ...origins.flatMap((one) => ['--passkey-origin', one]))
  assert.deepEqual(changed['passkeyOrigins'], origins)
  const same = await operate(kit, `${update} --name Same`)
  assert.deepEqual(same['passkeyOrigins'], origins)
  for (const wrong of ['a.example', 'https://a.example/', 'http://a.example', 'http://localhost']) {
    await assert.rejects(operate(kit, update, '--passkey-origin', wrong), UsageError, wrong)
    await assert.rejects(operate(kit, line, '--passkey-origin', wrong), UsageError, wrong)
  }
  const without = await operate(kit, `${update} --passkey-origin none`)
  assert.equal(without['passkeyOrigins'], undefined)
})
