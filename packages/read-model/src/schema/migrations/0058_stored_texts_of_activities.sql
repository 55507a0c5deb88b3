-- Parts of earlier builds get the text of activities now, in the background, instead of with their next merge: the engine computes the text of such a part
-- for each page that reads it, which costs more than twice the page.

ALTER TABLE activities_v1$L $ON MATERIALIZE COLUMN shown_json SETTINGS mutations_sync = 0;
