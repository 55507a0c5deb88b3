// The frame of the explorer: without a key it asks for one, with a key it shows the page of the address.

import { useEffect, useState } from 'preact/hooks'
import { LocationProvider, Route, Router } from 'preact-iso'
import { KeyForm } from './components/key-form.tsx'
import { Page } from './components/page.tsx'
import { TopBar } from './components/top-bar.tsx'
import { AccountPage } from './pages/account-page.tsx'
import { AssetPage } from './pages/asset-page.tsx'
import { ContractPage } from './pages/contract-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { IndexPage } from './pages/index-page.tsx'
import { LedgerPage } from './pages/ledger-page.tsx'
import { PoolPage } from './pages/pool-page.tsx'
import { ProtocolPage } from './pages/protocol-page.tsx'
import { RiskPage } from './pages/risk-page.tsx'
import { SearchPage } from './pages/search-page.tsx'
import { TransactionPage } from './pages/transaction-page.tsx'
import { BASE, INDEX_PATH, RISK_PATH } from './paths.ts'
import { apiKey, onKeyChange } from './session.ts'

export function App() {
  const [key, setKey] = useState(apiKey)
  useEffect(() => onKeyChange(() => setKey(apiKey())), [])
  return (
    <LocationProvider scope={BASE}>
      <TopBar hasKey={key !== null} />
      {key === null ? (
        <KeyForm />
      ) : (
        <Router>
          <Route path={BASE} component={HomePage} />
          <Route path={`${BASE}/accounts/:address`} component={AccountPage} />
          <Route path={`${BASE}/contracts/:address`} component={ContractPage} />
          <Route path={`${BASE}/pools/:pool`} component={PoolPage} />
          <Route path={`${BASE}/protocols/:protocol`} component={ProtocolPage} />
          <Route path={`${BASE}/transactions/:hash`} component={TransactionPage} />
          <Route path={`${BASE}/assets/:asset`} component={AssetPage} />
          <Route path={`${BASE}/ledgers/:sequence`} component={LedgerPage} />
          <Route path={`${BASE}/search`} component={SearchPage} />
          <Route path={RISK_PATH} component={RiskPage} />
          <Route path={INDEX_PATH} component={IndexPage} />
          <Route default component={UnknownPage} />
        </Router>
      )}
    </LocationProvider>
  )
}

function UnknownPage() {
  return (
    <Page title="This page does not exist">
      <p>
        <a href={BASE}>All protocols and pools</a>
      </p>
    </Page>
  )
}
