-- Tables that are read by key: every part has all columns in one file, granule by granule, however large it is. A page is a granule or two of each
-- part; with a file for each column it opened two files a column, and unpacked blocks of 64 KiB for a few kilobytes of each.
-- Parts that exist are rewritten when they are merged.

ALTER TABLE activities_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE activities_by_contract_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE activities_by_ledger_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE transactions_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE tx_lookup_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE position_snapshots_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE positions_latest_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE state_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE state_by_owner_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE state_latest_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
ALTER TABLE state_buckets_v1$L $ON MODIFY SETTING min_bytes_for_wide_part = 1099511627776;
