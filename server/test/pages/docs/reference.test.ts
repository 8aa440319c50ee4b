/** The reference in a real browser, against a small description and a service that echoes. */
import { test } from 'node:test'
import assert from 'node:assert/strict'
import { PUBLIC_URL } from './fixture.ts'
import { visitDocs } from './visit.ts'

const CLIENT_ID = 'client-1'
const CLIENT_SECRET = 'sécret'

const visit = visitDocs()

async function keepCredentials(): Promise<void> {
  await visit.page.getByRole('button', { name: /^Credentials/ }).click()
  await visit.page.getByLabel('Client id').fill(CLIENT_ID)
  await visit.page.getByLabel('Client secret').fill(CLIENT_SECRET)
  await visit.page.getByLabel(/Agent access token/).fill('agent-7')
  await visit.page.getByRole('button', { name: 'Keep' }).click()
}

async function send(): Promise<Record<string, unknown>> {
  await visit.page.getByRole('button', { name: 'Send request' }).click()
  await visit.page.locator('.answer-head .status').waitFor()
  return JSON.parse((await visit.page.locator('.answer pre').textContent()) ?? '')
}

const heading = () => visit.page.locator('main h1').innerText()
const results = () => visit.page.locator('#results .nav-title').allInnerTexts()
const bodyInput = () => visit.page.getByLabel('Body', { exact: true })
const curl = () => visit.page.getByRole('tabpanel', { name: 'curl' }).innerText()

test('CORE-86 the list is grouped by tag and a link in the address opens its operation', async () => {
  await visit.open('')
  assert.match(await heading(), /Florin API/)
  const groups = await visit.page.locator('#nav-list details:visible > summary').allInnerTexts()
  const guides = ['Get started', 'Build', 'Concepts', 'Operate', 'Runbooks']
  const tags = ['Customers', 'External accounts', 'Documents', 'Agents', 'Webhook events']
  assert.deepEqual(groups, [...guides, ...tags])
  await visit.open('createExternalAccount')
  assert.match(await heading(), /Create an external account/)
  assert.equal(await visit.page.title(), 'Create an external account · Florin')
  assert.equal(await visit.page.locator('.endpoint .method').innerText(), 'POST')
  assert.equal(await visit.page.locator('.permission').innerText(), 'MANAGE')
  assert.equal(await visit.page.locator('[aria-current=page]').count(), 1)
  const responses = await visit.page.locator('details.response > summary').allInnerTexts()
  assert.deepEqual(
    responses.map((text) => text.replace(/\s+/g, ' ').trim()),
    ['201 Created.', '400 INVALID_INPUT'],
  )
})

test('CORE-86 OPER-170 search ranks what it finds, and says why', async () => {
  await visit.open('')
  const search = visit.page.getByRole('searchbox')
  const cases: [string, string][] = [
    ['read cust', 'Read a customer\n/customers/{customerId}'],
    ['/documents', 'Upload document\n/documents'],
    ['createExternal', 'Create an external account\n/external-accounts'],
    ['get agents', 'Read the agent itself\n/agents/me'],
    ['iban', 'Create an external account\nfield accountInfo.iban of the body'],
    ['exteranl', 'Create an external account\n/external-accounts'],
    ['user_not', 'USER_NOT_FOUND\nerror 404'],
    ['account_exists', 'ACCOUNT_EXISTS\nerror 409'],
  ]
  for (const [words, first] of cases) {
    await search.fill(words)
    assert.equal((await results())[0], first, words)
  }
  assert.equal((await results())[1], 'Create an external account\nmay refuse with ACCOUNT_EXISTS')
  assert.match(await visit.page.locator('#announcer').innerText(), /results, first ACCOUNT_EXISTS/)
  assert.equal(await visit.page.locator('#nav-list').isVisible(), false)
  await search.fill('zzzz')
  assert.equal(await visit.page.getByText('Nothing matches.').isVisible(), true)
  await search.press('Escape')
  assert.equal(await visit.page.getByText('Nothing matches.').isVisible(), false)
  assert.equal(await visit.page.locator('#nav-list').isVisible(), true)
  assert.equal(await search.inputValue(), '')
})

test('OPER-171 a guide is read in the page, and its links lead on inside', async () => {
  await visit.open('/guides/first-payout')
  assert.match(await heading(), /A first payout/)
  assert.equal(await visit.page.title(), 'A first payout · Florin')
  assert.equal(await visit.page.locator('[aria-current=page]').innerText(), 'A first payout')
  assert.doesNotMatch(await visit.page.locator('main').innerText(), /<!--|```|\]\(/)
  await visit.page.getByRole('navigation', { name: 'On this page' }).getByText('Paying').click()
  await visit.page.locator('h2:focus', { hasText: 'Paying' }).waitFor()
  await visit.page.getByRole('link', { name: 'decide in sandbox' }).click()
  await visit.page.getByRole('heading', { level: 1, name: 'Sandbox' }).waitFor()
  assert.equal(
    await visit.page.evaluate('document.activeElement.id'),
    '/concepts/sandbox/magic-values',
  )
  await visit.page.getByRole('searchbox').fill('what it costs')
  await visit.page.getByRole('link', { name: 'What it costs in A first payout' }).click()
  await visit.page.getByRole('heading', { level: 1, name: 'A first payout' }).waitFor()
  await visit.follow('/concepts/ledger')
  const text = await visit.page.locator('.guide-text').innerText()
  assert.match(text, /\(server\/src\/ledger\/README\.md in the repository\)/)
})

test('OPER-171 an escaped quote ends no text of a program, and a comment is not coloured', async () => {
  const texts = (kind: string) => visit.page.locator(`.guide-text .token-${kind}`).allInnerTexts()
  await visit.open('/guides/onboarding')
  assert.ok((await texts('string')).every((shown) => !shown.includes('submit()')))
  await visit.open('/guides/embedded-wallets')
  const numbers = await texts('number')
  assert.ok(numbers.includes('7') && !numbers.includes('16'), 'alg -7 is code, 16 bytes a comment')
})

test('OPER-171 no guide shows a mark of its source, and each names its headings once', async () => {
  await visit.open('')
  const found = await visit.page.evaluate(`(async () => {
    const links = [...document.querySelectorAll('#nav-list a[href^="#/"]')]
    const found = []
    for (const { hash } of links) {
      location.hash = hash
      await new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }))
      const ids = [...document.querySelectorAll('.guide-text [id]')].map(({ id }) => id)
      const text = document.querySelector('.guide-text').cloneNode(true)
      for (const code of text.querySelectorAll('code')) code.remove()
      const [mark] = /<!--|\`|\\]\\(|\\*\\*|^ *[#|]/m.exec(text.textContent) ?? []
      if (mark || new Set(ids).size < ids.length) found.push([hash, mark])
    }
    return { found, isMany: links.length > 30 }
  })()`)
  assert.deepEqual(found, { found: [], isMany: true })
})

test('CORE-86 the body opens as a tree with types, limits, values and variants', async () => {
  await visit.open('createExternalAccount')
  const field = (name: string) =>
    visit.page
      .locator('.reference li.field', { has: visit.page.locator(`code:text-is("${name}")`) })
      .first()
  assert.match(
    await field('currency').innerText(),
    /string\s+required\s+Of the account\.\s+One of\s+USD\s+EUR/,
  )
  assert.match(await field('amountMax').innerText(), /1 to 9,000,000,000,000,000/)
  assert.match(await field('holder').innerText(), /object or null/)
  assert.equal(
    await visit.page.locator('.reference .schema code:text-is("id")').count(),
    1,
    'readOnly is not sent',
  )
  await field('accountInfo').locator('summary').first().click()
  assert.match(await field('accountInfo').innerText(), /routingNumber[^]*matches \^\[0-9\]\{9\}\$/)
  await field('accountInfo').getByRole('radio', { name: 'EUR_ACCOUNT' }).check()
  assert.match(await field('accountInfo').innerText(), /iban/)
  assert.doesNotMatch(await field('accountInfo').innerText(), /routingNumber/)
  assert.deepEqual(JSON.parse(await bodyInput().inputValue()), {
    currency: 'USD',
    accountInfo: { accountType: 'EUR_ACCOUNT', iban: 'DE89370400440532013000' },
  })
  await visit.page.getByRole('button', { name: 'Expand all' }).click()
  assert.match(await field('parent').innerText(), /label[^]*inside[^]*fields of Folder/)
})

test('CORE-86 a request is sent with what was typed and its answer is shown', async () => {
  await visit.open('createExternalAccount')
  await keepCredentials()
  await visit.page.getByRole('button', { name: 'New key' }).click()
  const key = await visit.page.getByLabel('Idempotency-Key').inputValue()
  assert.match(key, /^[0-9a-f-]{36}$/)
  const echo = await send()
  const secret = Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')
  const { body, ...rest } = echo
  assert.deepEqual(rest, {
    method: 'POST',
    url: '/2025-10-13/external-accounts',
    authorization: `Basic ${secret}`,
    key,
    type: 'application/json',
  })
  assert.deepEqual(JSON.parse(String(body)), {
    currency: 'USD',
    accountInfo: {
      accountType: 'USD_ACCOUNT',
      routingNumber: '021000021',
      accountNumber: '000123456789',
    },
  })
  assert.match(
    await visit.page.locator('.answer-head').innerText(),
    /201 Created\s+\d+ ms\s+\d+ bytes/,
  )
  await visit.page.locator('.answer-headers summary').click()
  assert.match(await visit.page.locator('.answer-headers').innerText(), /x-request-id\s+request-7/)
})

test('CORE-86 credentials stay in the tab and out of the curl line, which names the public address', async () => {
  await visit.open('createExternalAccount')
  assert.equal(await visit.page.evaluate('sessionStorage.length'), 0)
  await keepCredentials()
  await visit.page.getByLabel('Idempotency-Key').fill("it's one")
  const line = await curl()
  assert.ok(line.startsWith(`curl -X POST ${PUBLIC_URL}/external-accounts \\`), line)
  assert.match(line, /-H 'Idempotency-Key: it'\\''s one'/)
  assert.doesNotMatch(line, new RegExp(`${CLIENT_ID}|${CLIENT_SECRET}`))
  assert.equal(await visit.page.evaluate('localStorage.length + document.cookie.length'), 0)
  assert.match(String(await visit.page.evaluate('JSON.stringify(sessionStorage)')), /client-1/)
  await visit.page.getByRole('button', { name: /^Credentials/ }).click()
  await visit.page.getByRole('button', { name: 'Forget' }).click()
  assert.equal(await visit.page.evaluate('sessionStorage.length'), 0)
})

test('CORE-86 an agent operation sends the agent token, a read sends its query', async () => {
  await visit.open('getAgentMe')
  await keepCredentials()
  assert.equal(await visit.page.locator('.permission').count(), 0, 'an agent has none of the three')
  assert.equal((await send()).authorization, 'Bearer agent-7')
  await visit.follow('getCustomer')
  await visit.page.getByLabel('customerId').fill('Customer:known')
  await visit.page.getByLabel('expand').fill('address, owners')
  await visit.page.getByLabel('withClosed').selectOption('true')
  const url = '/2025-10-13/customers/Customer:known?expand=address&expand=owners&withClosed=true'
  assert.equal((await send()).url, url)
})

test('CORE-86 a file is uploaded as a form', async () => {
  await visit.open('uploadDocument')
  await visit.page.getByRole('button', { name: 'Send request' }).click()
  assert.equal(await visit.page.getByText('file is required').isVisible(), true)
  const buffer = Buffer.from('%PDF-1.7')
  await visit.page
    .getByLabel('file')
    .setInputFiles({ name: 'a.pdf', mimeType: 'application/pdf', buffer })
  await visit.page.getByLabel('documentType').selectOption('PASSPORT')
  assert.match(await curl(), /-F file=@a\.pdf \\\s+-F documentType=PASSPORT/)
  const echo = await send()
  assert.equal(echo.type, 'multipart/form-data')
  assert.match(
    String(echo.body),
    /filename="a\.pdf"[^]*%PDF-1\.7[^]*name="documentType"\s+PASSPORT/,
  )
})

test('CORE-86 ERR-21 a refusal is shown with a way to its meaning', async () => {
  await visit.open('getCustomer')
  await visit.page.getByLabel('customerId').fill('Customer:unknown')
  assert.equal((await send()).code, 'USER_NOT_FOUND')
  assert.match(await visit.page.locator('.answer-head').innerText(), /404 Not Found/)
  await visit.page.getByRole('link', { name: 'What USER_NOT_FOUND means' }).click()
  const entry = visit.page.locator('[id="errors/USER_NOT_FOUND"]')
  assert.match(await entry.innerText(), /No such customer\.\s+Do not retry/)
  assert.equal(await visit.page.evaluate('document.activeElement.id'), 'errors/USER_NOT_FOUND')
  await entry.getByText('Raised by 1 operation').click()
  await entry.getByRole('link', { name: 'Read a customer' }).click()
  await visit.page.getByRole('heading', { level: 1, name: /Read a customer/ }).waitFor()
})

test('ERR-24 the reasons of a code stand below it, and are found', async () => {
  await visit.open('errors/ACCOUNT_EXISTS')
  const entry = visit.page.locator('[id="errors/ACCOUNT_EXISTS"]')
  await entry.getByText('Values of details.reason: 1').click()
  assert.match(await entry.innerText(), /SAME_NUMBER\s+Another account has this number; use id\./)
  await visit.page.getByRole('searchbox').fill('SAME_NUMBER')
  assert.equal((await results())[0], 'ACCOUNT_EXISTS\nSAME_NUMBER')
})

test('CORE-86 nothing is sent while a required parameter is missing or the body is not JSON', async () => {
  await visit.open('getCustomer')
  await visit.page.getByRole('button', { name: 'Send request' }).click()
  assert.equal(await visit.page.getByText('customerId is required').isVisible(), true)
  assert.equal(
    await visit.page.evaluate('document.activeElement.labels[0].firstChild.textContent'),
    'customerId',
  )
  await visit.follow('createExternalAccount')
  await bodyInput().fill('{ "currency": ')
  await visit.page.getByRole('button', { name: 'Send request' }).click()
  assert.equal(await visit.page.getByText(/^Not valid JSON/).isVisible(), true)
  assert.equal(await bodyInput().getAttribute('aria-invalid'), 'true')
  assert.equal(await visit.page.locator('.answer > *').count(), 0)
})

test('CORE-86 webhooks show their payload, with the header of this deployment', async () => {
  await visit.open('webhooks')
  const shown = await visit.page.locator('main').innerText()
  assert.match(shown, /X-Acme-Signature/)
  assert.match(shown, /EXTERNAL_ACCOUNT\.UPDATED\s+Sent when an external account changes\./)
  await visit.page.locator('main').getByRole('link', { name: 'EXTERNAL_ACCOUNT.UPDATED' }).click()
  await visit.page.getByRole('heading', { level: 1, name: 'EXTERNAL_ACCOUNT.UPDATED' }).waitFor()
  const example = JSON.parse(
    await visit.page.getByRole('region', { name: 'Example delivery' }).innerText(),
  )
  assert.equal(example.type, 'EXTERNAL_ACCOUNT.UPDATED')
  assert.match(example.data.id, /^ExternalAccount:[0-9a-f-]{36}$/)
})

test('CORE-86 a description that cannot be read says so and is asked for again', async () => {
  visit.server.failNext(1)
  await visit.open('')
  assert.match(await visit.page.getByRole('alert').innerText(), /the service answered 503/)
  await visit.page.getByRole('button', { name: 'Try again' }).click()
  await visit.page.getByRole('heading', { name: 'Florin API' }).waitFor()
})
