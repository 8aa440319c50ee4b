import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from './html.ts'

test('ERR-5 a value is text: it cannot open a tag or leave an attribute', () => {
  const name = `<script>alert("x")</script> & 'y'`
  assert.equal(
    html`<p title="${name}">${name}</p>`.html,
    '<p title="&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;">' +
      '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt; &amp; &#39;y&#39;</p>',
  )
})

test('ERR-5 what is HTML already stays as it is, alone or in a list', () => {
  const item = (text: string) => html`<i>${text}</i>`
  assert.equal(html`<b>${[item('a'), item('<')]}</b>`.html, '<b><i>a</i><i>&lt;</i></b>')
  assert.equal(html`${html`<br />`}`.html, '<br />')
})
