-- New pages are indexed by whoever inserts them, many at once.

DROP TRIGGER pages_inserted;

-- What began or ended on some day; few have days.
CREATE INDEX links_by_start ON links (valid_from) WHERE valid_from IS NOT NULL;
CREATE INDEX links_by_end ON links (valid_until) WHERE valid_until IS NOT NULL;
CREATE INDEX assertions_by_start ON assertions (valid_from) WHERE valid_from IS NOT NULL;
CREATE INDEX assertions_by_end ON assertions (valid_until) WHERE valid_until IS NOT NULL;
