;;; browse-tests.el --- Nodes are found, shown, written and decided about  -*- lexical-binding: t; -*-

;;; Code:

(require 'helper)
(ai-kb-global-mode 1)

(defvar test-one (test-node "Commit style" "Subjects are short.\n* Signing\nSign every commit."))
(defvar test-two
  (test-node "Release steps"
             (format "RELATES_TO [[id:%s][Commit style]]" (alist-get 'id test-one))))

(defun test-file-name ()
  "The name of the file in the selected window."
  (file-name-nondirectory (or (buffer-file-name (window-buffer)) "")))

(ert-deftest browse-a-node-is-found-by-its-title ()
  (cl-letf (((symbol-function 'completing-read)
             (lambda (_prompt known &rest _) (caar (last known 1)))))
    (ai-kb-find-node))
  (should (equal (test-file-name) (alist-get 'path test-two))))

(ert-deftest browse-two-nodes-of-one-title-can-be-told-apart ()
  (let ((known (ai-kb--candidates '(((id . "aaaaaaaa-1") (title . "Same")) ((id . "bbbbbbbb-2") (title . "Same"))
                                    ((id . "c") (title . "Other"))))))
    (should (equal (mapcar #'car known) '("Same (aaaaaaaa)" "Same (bbbbbbbb)" "Other")))))

(ert-deftest browse-a-pointer-at-point-leads-to-its-node ()
  (with-temp-buffer
    (insert (format "See ai-kb: An old title (%s), or nothing." (alist-get 'id test-one)))
    (goto-char 10)
    (call-interactively #'ai-kb-show-node))
  (should (equal (test-file-name) (alist-get 'path test-one)))
  (with-temp-buffer
    (insert (format "[[id:%s][x]]" (alist-get 'id test-two)))
    (goto-char 3)
    (should (equal (ai-kb-pointer-at-point) (alist-get 'id test-two)))))

(ert-deftest browse-backlinks-and-map-can-be-followed ()
  (ai-kb-backlinks (alist-get 'id test-one))
  (with-current-buffer "*ai-kb-backlinks*"
    (should (string-match-p "Release steps .*RELATES_TO" (buffer-string)))
    (goto-char (point-min))
    (forward-button 1)
    (push-button))
  (should (equal (test-file-name) (alist-get 'path test-two)))
  (ai-kb-map '("--project" "general"))
  (with-current-buffer "*ai-kb-map*"
    (should (string-match-p "Release steps\n  ─RELATES_TO→ Commit style" (buffer-string)))
    (goto-char (point-min))
    (search-forward "→ ")
    (push-button))
  (should (equal (test-file-name) (alist-get 'path test-one))))

(ert-deftest browse-a-picture-of-the-map-has-places-to-click ()
  (let ((file (make-temp-file "map")))
    (with-temp-file file
      (insert (format "<area shape=\"rect\" id=\"node1\" href=\"org-protocol://roam-node?node=%s\" title=\"x\" alt=\"\" coords=\"5,6,70,80\"/>" (alist-get 'id test-one))))
    (let ((areas (ai-kb--map-areas file)))
      (should (equal (caar areas) '(rect . ((5 . 6) . (70 . 80)))))
      (call-interactively (lookup-key (ai-kb--map-keys areas) (vector (nth 1 (car areas)) 'mouse-1))))
    (should (equal (test-file-name) (alist-get 'path test-one)))))

(ert-deftest browse-the-dashboard-shows-state-and-recent-nodes ()
  (ai-kb-dashboard)
  (test-eventually (with-current-buffer "*ai-kb*" (string-match-p "Recent" (buffer-string))))
  (with-current-buffer "*ai-kb*"
    (should (string-match-p "remote +none" (buffer-string)))
    (should (string-match-p "Commit style" (buffer-string)))
    (should (eq (lookup-key (current-local-map) "s") #'ai-kb-search))))

(ert-deftest browse-errors-are-messages-with-the-hint ()
  (should (string-match-p "no node.*zebra" (cadr (should-error (ai-kb-ask "delete" "zebra" "--yes") :type 'user-error))))
  (let ((ai-kb-program "no-such-program"))
    (should-error (ai-kb-ask "status") :type 'user-error)))

(ert-deftest browse-search-answers-while-typing-through-one-process ()
  (let* ((shown nil) (ai-kb-search-hook (list (lambda (text) (push text shown)))))
    (dolist (text '("" "?!" "zebra" "commit st"))
      (ai-kb--search-ask text nil)
      (test-eventually (equal (car shown) text))
      (with-current-buffer "*ai-kb-search*"
        (should (string-match-p (pcase text ("" "Release") ("commit st" "> Commit style") (_ "nothing found"))
                                (buffer-string)))))
    (let ((process ai-kb--pipe))
      (should (process-live-p process))
      (ai-kb-search-next)
      (with-current-buffer "*ai-kb-search*"
        (should-not (string-match-p "^> Commit style" (buffer-string))))
      (ai-kb-search-previous)
      (cl-letf (((symbol-function 'read-from-minibuffer) (lambda (&rest _) "release")))
        (ai-kb-search))
      (should (eq ai-kb--pipe process))
      (should (equal (test-file-name) (alist-get 'path test-two))))
    (ai-kb-pipe-close)))

(ert-deftest browse-what-is-remembered-and-captured-is-committed ()
  (cl-letf (((symbol-function 'read-string) (lambda (prompt &rest _) (if (string-prefix-p "Title" prompt) "New one" "It is new.")))
            ((symbol-function 'completing-read) (lambda (&rest _) "principle")))
    (call-interactively #'ai-kb-remember))
  (with-current-buffer (window-buffer)
    (should (derived-mode-p 'org-mode))
    (insert "The text of it.")
    (let ((buffer (current-buffer)))
      (ai-kb-remember-finish)
      (test-eventually (not (buffer-live-p buffer)))))
  (let ((node (ai-kb-ask "show" "New one")))
    (should (string-match-p "The text of it" (alist-get 'text node)))
    (should (equal (alist-get 'CREATED_BY (alist-get 'properties node)) "human")))
  (let ((path (ai-kb-capture "https://example.org/x" "A passage." "A source")))
    (should (equal (car kill-ring) path))
    (should (file-exists-p (expand-file-name path (ai-kb-root)))))
  (should (equal (test-dirty) "")))

(ert-deftest browse-findings-are-decided-one-by-one ()
  (test-node "Indent with tabs" "Always indent code with tabs.")
  (ai-kb-ask "remember" "--title" "Tabs are for indenting" "--summary" "What is known of Indent with tabs."
             "--body" "Always indent code with tabs." "--force-new")
  (cl-letf (((symbol-function 'y-or-n-p) (lambda (&rest _) t))
            ((symbol-function 'completing-read) (lambda (&rest _) "Signing")))
    (ai-kb-curate)
    (with-current-buffer "*ai-kb-curate*"
      (goto-char (point-min))
      (search-forward "Indent with tabs")
      (should (string-match-p "|.*duplicate" (buffer-substring (line-beginning-position) (line-end-position))))
      (should (= (length (ai-kb--sides (ai-kb--finding))) 2))
      (let ((count (alist-get 'nodes (ai-kb-ask "status"))))
        (ai-kb-curate-merge)
        (should (= (alist-get 'nodes (ai-kb-ask "status")) (1- count))))
      (goto-char (point-min))
      (search-forward "Commit style")
      (ai-kb-curate-split)
      (should (ai-kb-ask "show" "Signing"))
      (goto-char (point-min))
      (search-forward "Release steps")
      (ai-kb-curate-keep)
      (should (string-match-p "LAST_CURATED" (alist-get 'text (ai-kb-ask "show" "Release steps"))))
      (goto-char (point-min))
      (search-forward "Release steps")
      (should-error (ai-kb-curate-keep) :type 'user-error)))
  (should (equal (test-dirty) "")))

(ert-deftest browse-nothing-is-decided-without-a-yes ()
  (ai-kb-curate)
  (let ((head (test-git "rev-parse" "HEAD")))
    (cl-letf (((symbol-function 'y-or-n-p) #'ignore))
      (with-current-buffer "*ai-kb-curate*"
        (ai-kb-curate-keep)))
    (should (equal (test-git "rev-parse" "HEAD") head))))

(ert-deftest browse-the-whole-memory-is-reached ()
  (call-process ai-kb-quaid-program nil nil nil "init")
  (call-process ai-kb-quaid-program nil nil nil "collection" "add" "kb" (ai-kb-root) "--profile" "kb")
  (quaid-query "release steps")
  (with-current-buffer "*quaid*"
    (goto-char (point-min))
    (forward-button 1)
    (should (looking-at "Release steps"))
    (push-button))
  (should (equal (test-file-name) (alist-get 'path test-two)))
  (let ((notes (expand-file-name "notes" (getenv "HOME"))))
    (make-directory notes t)
    (call-process ai-kb-quaid-program nil nil nil "collection" "add" "notes" notes "--profile" "notebook")
    (quaid-capture "Buy milk")
    (should (equal 0 (call-process "grep" nil nil nil "-rqi" "milk$" notes)))))

(ert-deftest browse-keys-have-commands-and-a-menu ()
  (ai-kb-setup)
  (should (eq (key-binding (kbd "C-c n d")) #'ai-kb-dashboard))
  (dolist (each ai-kb--keys)
    (should (commandp (cadr each))))
  (should (commandp 'ai-kb-menu)))

;;; browse-tests.el ends here
